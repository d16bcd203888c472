import { randomInt } from 'node:crypto'
import { expect } from '@jest/globals'
import { isTerminalEvent, type JsonObject } from '@synchub/protocol'
import { watchTrace } from './event-reader.js'
import { callTool, getCall, postJson } from './hub-requests.js'
import { type RunningHub, runHub, untilReady } from './running-hub.js'
import { sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

/** Longest delay of an answer, in ms: about what a cancel takes on its way while others are under way too. */
const SPREAD_MS = 30
const CANCEL_SPREAD_MS = 5
const AT_ONCE = 10

/** Two hubs and a dispatcher, and an agent whose answer races with a cancel that comes by the other hub. */
export interface RaceGround {
  readonly hub: RunningHub
  /** Runs this many calls of a tool, and checks that all who tell of one agree on its end. How many were cancelled. */
  race(tool: 'short' | 'long', count: number): Promise<{ readonly cancelled: number }>
}

export async function openRaceGround(): Promise<RaceGround> {
  const agent = await serveScript([toolOf('short'), toolOf('long')])
  const hub = await runHub({
    agents: { Agent: { url: agent.url, concurrency: 20, tools: { short: { mode: 'direct' } } } },
    streams: { lingerMs: 100 },
  })
  const other = await hub.startHub()
  await untilReady(other.url)
  const cancels = new Map<string, Promise<JsonObject>>()
  agent.behave((res, { id }) => {
    const callId = String(id)
    setTimeout(() => sendResult(res, id, { content: [], structuredContent: { done: true } }), randomInt(SPREAD_MS))
    const cancel = async () => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(CANCEL_SPREAD_MS)))
      return (await postJson<JsonObject>(other.url, `/calls/${callId}/cancel`)).body
    }
    cancels.set(callId, cancel())
  })

  const raceOnce = async (tool: string, traceId: string): Promise<string> => {
    const answer = await callTool(hub.url, tool, {}, { traceId })
    const callId = String(answer.headers.get('SyncHub-Call-Id'))
    const cancel = await cancels.get(callId)
    const states = [await getCall(hub.url, callId), await getCall(other.url, callId)].map(({ state }) => state)
    const isCancelled = cancel?.cancelled === true
    const state = isCancelled ? 'cancelled' : 'completed'
    expect(states).toEqual([state, state])
    expect(cancel).toEqual({ callId, state, cancelled: isCancelled })
    expect(answer.body.error?.data.title).toBe(isCancelled ? 'CANCELLED' : undefined)
    expect(answer.body.result?.structuredContent).toEqual(isCancelled ? undefined : { done: true })
    return state
  }

  return {
    hub,
    async race(tool, count) {
      const ends: string[] = []
      for (let at = 0; at < count; at += AT_ONCE) {
        const traceId = `race-${tool}-${at}`
        const round = Array.from({ length: Math.min(AT_ONCE, count - at) }, () => raceOnce(tool, traceId))
        const states = await Promise.all(round)
        const watcher = await watchTrace(other.url, `${traceId}/events`)
        await watcher.over
        const terminal = watcher.events.filter(({ event }) => isTerminalEvent(event))
        // One end of each call, and nothing of it behind that.
        expect(new Set(terminal.map(({ data }) => data.callId)).size).toBe(states.length)
        expect(terminal).toHaveLength(states.length)
        expect(terminal.map(({ event }) => (event === 'complete' ? 'completed' : event)).toSorted()).toEqual(
          states.toSorted(),
        )
        for (const { data } of terminal) {
          expect(watcher.events.findLast((event) => event.data.callId === data.callId)?.data.seq).toBe(data.seq)
        }
        ends.push(...states)
      }
      const jobs = () => hub.link.commands.keys(`{${hub.prefix}:queue}:agent-Agent:*-*`)
      await until(async () => (await jobs()).length === 0)
      return { cancelled: ends.filter((state) => state === 'cancelled').length }
    },
  }
}
