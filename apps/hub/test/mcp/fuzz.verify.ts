import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'
import { judgeAnswer, oddities } from './fuzz.js'

const MESSAGES = 20_000
/** Messages under way at the same time. */
const AT_ONCE = 20

let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({
    agents: { Agent: { url: agent.url, mode: 'direct' } },
    limits: { maxWaitMs: 1000, defaultWaitMs: 500 },
  })
})

afterAll(closeAll)

test('whatever is sent, twenty thousand times and several at once, is answered as it should be', async () => {
  const batches = fc.array(oddities, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const faults = await Promise.all(batch.map((oddity) => judgeAnswer(hub.url, oddity)))
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
    }),
    { numRuns: MESSAGES / AT_ONCE, endOnFailure: true },
  )
}, 240_000)
