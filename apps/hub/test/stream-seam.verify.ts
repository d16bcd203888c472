import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { atEnd, closeAll } from './cleanup.js'
import { startCall } from './hub-requests.js'
import { startRedisProxy } from './redis-proxy.js'
import { openPlace, runHub, sharedRedis, untilReady } from './running-hub.js'
import { openStream, type ScriptedAgent, serveScript, toolOf, writeEvent } from './scripted-agent.js'
import { until } from './until.js'

afterEach(closeAll)

/** An agent that reports `events` steps of progress back to back, once it may begin. */
async function serveBurst(events: number, mayBegin: Promise<void>, paceMs = 0): Promise<ScriptedAgent> {
  return serveScript([toolOf('burst')], async (res) => {
    openStream(res)
    await mayBegin
    for (let at = 1; at <= events; at++) {
      writeEvent(res, 'progress', { progress: at })
      if (res.writableNeedDrain) await once(res, 'drain')
      if (paceMs > 0) await delay(paceMs)
    }
    writeEvent(res, 'complete', { result: {} })
    res.end()
  })
}

function gate(): { open(): void; readonly opened: Promise<void> } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

/** Events of a call with so many steps of progress: received, accepted, started, progress ..., complete. */
const allOf = (progress: number) => Array.from({ length: progress + 4 }, (_, at) => at + 1)

/** What one reader saw over all of its connections. Only ids are looked at: what is in the events is tested elsewhere. */
interface Reader {
  readonly seqs: number[]
  readonly connections: number
  readonly over: Promise<void>
}

/** Reads a trace to its end as an EventSource does: comes back with the last id whenever the connection is lost. */
function follow(urlOf: () => string, traceId: string): Reader {
  const state = { seqs: [] as number[], connections: 0, lastId: '', ended: false, stopped: false }
  atEnd(() => {
    state.stopped = true
  })
  const readOnce = async () => {
    const headers = { Accept: 'text/event-stream', ...(state.lastId === '' ? {} : { 'Last-Event-ID': state.lastId }) }
    const req = get(`${urlOf()}/traces/${traceId}/events`, { headers, agent: false })
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    state.connections++
    if (res.statusCode === 204) state.ended = true
    if (res.statusCode !== 200) return void res.resume()
    let rest = ''
    for await (const chunk of res) {
      const text = rest + String(chunk)
      const end = text.lastIndexOf('\n\n') + 2
      rest = text.slice(end)
      for (const match of text.slice(0, end).matchAll(/^id: (\d+-\d+)$/gm)) {
        state.lastId = match[1] ?? ''
        state.seqs.push(Number(state.lastId.split('-')[0]))
      }
      if (/^event: end$/m.test(text)) state.ended = true
    }
  }
  const run = async () => {
    while (!state.ended && !state.stopped) {
      // A connection that was refused or cut is what a reader comes back from.
      await readOnce().catch(() => delay(20))
    }
  }
  const over = run()
  return {
    seqs: state.seqs,
    get connections() {
      return state.connections
    },
    over,
  }
}

describe('watchers that join a burst at random moments', () => {
  test('see every event exactly once and in order, then the end', async () => {
    const [EVENTS, WATCHERS] = [300, 200]
    const { open, opened } = gate()
    const agent = await serveBurst(EVENTS, opened)
    const hub = await runHub({ agents: { Agent: { url: agent.url } }, streams: { lingerMs: 500 } })
    const callId = await startCall(hub.url, 'burst', {}, { traceId: 'burst' })
    await until(() => agent.calls.length === 1)
    open()
    const readers: Reader[] = []
    for (let at = 0; at < WATCHERS; at++) {
      readers.push(follow(() => hub.url, 'burst'))
      await delay(Math.random() * 4)
    }
    await Promise.all(readers.map(({ over }) => over))
    const all = allOf(EVENTS)
    for (const reader of readers) expect(reader.seqs).toEqual(all)
    expect(new Set(readers.map(({ connections }) => connections))).toEqual(new Set([1]))
    expect((await fetch(`${hub.url}/calls/${callId}`)).status).toBe(200)
  }, 60_000)
})

describe('watchers of a hub that is started anew in the middle', () => {
  test.each([['stopped'], ['stopped while its subscription is cut']])(
    'resume with their cursor, and nothing is missed or doubled: %s',
    async (how) => {
      const [EVENTS, WATCHERS] = [400, 30]
      const { open, opened } = gate()
      const agent = await serveBurst(EVENTS, opened, 2)
      const proxy = await startRedisProxy(sharedRedis())
      const place = await openPlace({
        agents: { Agent: { url: agent.url } },
        streams: { lingerMs: 1000 },
        hubRedisUrl: proxy.url,
      })
      await place.startDispatcher()
      let hub = await place.startHub()
      await untilReady(hub.url)
      await startCall(hub.url, 'burst', {}, { traceId: 'again' })
      await until(() => agent.calls.length === 1)
      const readers = Array.from({ length: WATCHERS }, () => follow(() => hub.url, 'again'))
      open()
      for (const share of [0.25, 0.6]) {
        await until(() => readers.every(({ seqs }) => seqs.length > share * EVENTS))
        if (how !== 'stopped') proxy.cut('subscribers')
        const old = hub
        hub = await place.startHub()
        await old.stop()
      }
      await Promise.all(readers.map(({ over }) => over))
      for (const reader of readers) {
        expect(reader.seqs).toEqual(allOf(EVENTS))
        expect(reader.connections).toBeGreaterThanOrEqual(3)
      }
    },
    60_000,
  )

  test('lose nothing when the subscription of the hub alone is cut, again and again', async () => {
    const [EVENTS, WATCHERS] = [400, 30]
    const { open, opened } = gate()
    const agent = await serveBurst(EVENTS, opened, 2)
    const proxy = await startRedisProxy(sharedRedis())
    const hub = await runHub({
      agents: { Agent: { url: agent.url } },
      streams: { lingerMs: 1000 },
      hubRedisUrl: proxy.url,
    })
    await startCall(hub.url, 'burst', {}, { traceId: 'cut' })
    await until(() => agent.calls.length === 1)
    const readers = Array.from({ length: WATCHERS }, () => follow(() => hub.url, 'cut'))
    open()
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      await until(() => readers.some(({ seqs }) => seqs.length > share * EVENTS))
      proxy.cut('subscribers')
    }
    await Promise.all(readers.map(({ over }) => over))
    for (const reader of readers) {
      expect(reader.seqs).toEqual(allOf(EVENTS))
      expect(reader.connections).toBe(1)
    }
  }, 60_000)
})
