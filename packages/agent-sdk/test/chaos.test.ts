import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { isJsonObject } from '@synchub/protocol'
import { defineTool } from '../src/index.js'
import { callBody, closeAll, post, serve } from './served-agent.js'

jest.setTimeout(30_000)

/** The same numbers from 0 to 1 in every run (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** What callers may tell apart: the text of the result, or the title of the error. */
function summaryOf(answer: unknown): string {
  if (!isJsonObject(answer)) return 'nothing'
  if (isJsonObject(answer.error) && isJsonObject(answer.error.data)) return String(answer.error.data.title)
  return isJsonObject(answer.result) ? JSON.stringify(answer.result.content) : 'nothing'
}

afterEach(closeAll)

describe('an agent whose callers come, leave, cancel and come again', () => {
  test('never works twice on a call at the same time, and never takes back an answer', async () => {
    const random = createRandom(7)
    const working = new Map<string, number>()
    const answers = new Map<string, Set<string>>()
    let mostAtOnce = 0
    let runs = 0
    const work = defineTool({
      name: 'work',
      description: '',
      inputSchema: { type: 'object' },
      async handler(_, { callId, signal }) {
        const atOnce = (working.get(callId) ?? 0) + 1
        working.set(callId, atOnce)
        mostAtOnce = Math.max(mostAtOnce, atOnce)
        const run = ++runs
        try {
          for (let step = 0; step < 5; step++) {
            await sleep(random() * 4)
            if (random() < 0.8) signal.throwIfAborted()
          }
          return `run ${run}`
        } finally {
          working.set(callId, atOnce - 1)
        }
      },
    })
    const { url, logs } = await serve([work], { orphanGraceMs: 1 })

    async function callOnce(callId: string, patienceMs: number): Promise<void> {
      const signal = AbortSignal.timeout(patienceMs)
      const accept = random() < 0.5 ? 'application/json' : 'text/event-stream'
      try {
        const response = await post(url, callBody('work', {}, { callId }), { headers: { Accept: accept }, signal })
        const text = await response.text()
        if (accept === 'application/json') answers.get(callId)?.add(summaryOf(JSON.parse(text)))
      } catch (error) {
        // Its patience ended, which is what this caller is about.
        if (!signal.aborted) throw error
      }
    }

    async function cancel(callId: string): Promise<void> {
      await post(
        url,
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: callId } }),
      )
    }

    const callers = Array.from({ length: 16 }, async (_, caller) => {
      for (let turn = 0; turn < 12; turn++) {
        const callId = `c${Math.floor(caller / 4)}-${turn}`
        if (!answers.has(callId)) answers.set(callId, new Set())
        await sleep(random() * 10)
        if (random() < 0.15) await cancel(callId)
        else await callOnce(callId, random() < 0.85 ? 2 + Math.floor(random() * 10) : 5_000)
      }
    })
    await Promise.all(callers)
    for (const callId of answers.keys()) await callOnce(callId, 5_000)
    expect(mostAtOnce).toBe(1)
    expect([...answers].filter(([, seen]) => seen.size > 1)).toEqual([])
    expect(logs.filter(({ level }) => level === 'error')).toEqual([])
    // Otherwise nobody came again, and nothing was tried.
    expect(runs).toBeGreaterThan(answers.size)
  })
})
