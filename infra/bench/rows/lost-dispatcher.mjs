import { setTimeout as delay } from 'node:timers/promises'
import { startProgram } from '../../processes/program.mjs'
import { startSystem } from '../../processes/system.mjs'
import { oursAtMost } from '../report/goal.mjs'

const POLL_MS = 50
const GIVEN_UP_AFTER_MS = 30_000

/**
 * How long nobody works on a call whose dispatcher was killed: from SIGKILL until another dispatcher has opened the next attempt.
 *
 * @type {import('./list.mjs').Row}
 */
export const lostDispatcher = {
  id: 'g',
  title: 'a call whose dispatcher was killed runs again',
  async measure({ short, room }) {
    const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
    const agent = { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'queued', safeToRepeat: true }
    const system = await startSystem(room, { agents: { Bench: agent } })
    let { dispatcher } = system
    /** @type {number[]} */
    const seconds = []
    for (let round = 0; round < (short ? 1 : 3); round++) {
      const callId = await startCall(system.url)
      await untilAttempt(system.url, callId, 1)
      const next = await system.startDispatcher()
      const killedAt = performance.now()
      await dispatcher.stop('SIGKILL')
      await untilAttempt(system.url, callId, 2)
      seconds.push((performance.now() - killedAt) / 1000)
      dispatcher = next
    }
    return {
      figures: [{ ours: Math.max(...seconds), peer: null, unit: 's', goal: oursAtMost(10) }],
      lines: [`after ${seconds.map((value) => value.toFixed(1)).join(', ')} s`],
    }
  },
}

/** @param {string} url @returns {Promise<string>} the callId of a call that does not end by itself */
async function startCall(url) {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bench_hang' } }),
  })
  const { result } = await response.json()
  return result._meta.callId
}

/** @param {string} url @param {string} callId @param {number} attempt */
async function untilAttempt(url, callId, attempt) {
  const givenUpAt = performance.now() + GIVEN_UP_AFTER_MS
  for (;;) {
    const call = await (await fetch(`${url}/calls/${callId}`)).json()
    if (call.state === 'running' && call.attempt === attempt) return
    if (performance.now() > givenUpAt) throw new Error(`attempt ${attempt} does not begin: ${JSON.stringify(call)}`)
    await delay(POLL_MS)
  }
}
