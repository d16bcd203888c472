import { join } from 'node:path'
import { startProgram } from '../../processes/program.mjs'
import { startSystem } from '../../processes/system.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { ratioAtMost } from '../report/goal.mjs'

/** @typedef {{ p50Ms: number, p99Ms: number }} Latency */

const HOUR_MS = 3_600_000
/** Calls that are asked for at the same time. */
const ASKED_AT_ONCE = 50

/**
 * From the agent's write of a step of progress to the watcher's read: over HTTP to the dispatcher, one step of the store, Redis'
 * publish, the hub, and HTTP again. The peer is Redis' publish alone, with as many channels and at the same pace.
 *
 * @type {import('./list.mjs').Row}
 */
export const eventLatency = {
  id: 'e',
  title: "agent's progress to watcher's read; peer: bare Redis publish/subscribe",
  async measure({ short, room }) {
    const traces = short ? 50 : 1000
    const pace = { perSecond: traces, durationMs: short ? 500 : 3000 }
    const agent = await startProgram(room, 'infra/bench/programs/progress-agent.mjs', {
      args: [join(room.folder, 'agent'), String(traces)],
    })
    const patience = { silenceTimeoutMs: HOUR_MS, maxDurationMs: HOUR_MS, queueWaitMs: HOUR_MS }
    const system = await startSystem(room, {
      agents: { Bench: { url: agent.ready, mode: 'queued', concurrency: traces, ...patience } },
    })
    const names = Array.from({ length: traces }, (_, at) => `latency-${at}`)
    const watchers = await startProgram(room, 'infra/bench/programs/watchers.mjs')
    await watchers.ask({ join: { url: system.url, paths: names.map((name) => `/traces/${name}/events?follow=1`) } })
    await startCalls(system.url, names)
    const bare = await startProgram(room, 'infra/bench/programs/publish-loop.mjs', {
      args: [system.redis.url, String(traces)],
    })
    const ours = async () => {
      const { sent } = /** @type {{ sent: number }} */ (await agent.ask(pace))
      return /** @type {Latency} */ (await watchers.ask({ read: sent }))
    }
    const peer = async () => /** @type {Latency} */ (await bare.ask(pace))
    // The first turn warms both up.
    await takeTurns({ rounds: 1, ours, peer })
    const turns = await takeTurns({ rounds: short ? 1 : 5, ours, peer })
    const title = `${traces} events/s over ${traces} traces`
    /** @param {'p50Ms' | 'p99Ms'} name @param {string} label @param {number} bound */
    const figure = (name, label, bound) => ({
      name: label,
      title: `${label}, ${title}`,
      ours: medianOf(turns.ours, (turn) => turn[name]),
      peer: medianOf(turns.peer, (turn) => turn[name]),
      unit: 'ms',
      goal: ratioAtMost(bound),
    })
    return { figures: [figure('p50Ms', 'p50', 3), figure('p99Ms', 'p99', 4)] }
  },
}

/**
 * @param {string} url
 * @param {readonly string[]} traceIds
 */
async function startCalls(url, traceIds) {
  /** @param {string} traceId */
  const start = async (traceId) => {
    const frame = {
      jsonrpc: '2.0',
      id: traceId,
      method: 'tools/call',
      params: { name: 'bench_progress', arguments: {}, _meta: { traceId } },
    }
    const headers = { 'Content-Type': 'application/json', Prefer: 'respond-async' }
    const answer = await fetch(`${url}/rpc`, { method: 'POST', headers, body: JSON.stringify(frame) })
    if (answer.status !== 202) throw new Error(`a call was not taken: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (let from = 0; from < traceIds.length; from += ASKED_AT_ONCE) {
    await Promise.all(traceIds.slice(from, from + ASKED_AT_ONCE).map(start))
  }
}
