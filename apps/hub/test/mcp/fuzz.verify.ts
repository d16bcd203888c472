import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'
import { judgeAnswer, oddities } from './fuzz.js'
import { askLegacy, openSession } from './mcp-requests.js'

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
  const session = await openSession(hub.url)
  const batches = fc.array(oddities(session), { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const faults = await Promise.all(batch.map((oddity) => judgeAnswer(hub.url, oddity)))
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
    }),
    { numRuns: MESSAGES / AT_ONCE, endOnFailure: true },
  )
  // What was sent within it was judged there, and has not ended it.
  expect(await askLegacy(hub.url, 'ping', {}, { 'Mcp-Session-Id': session })).toMatchObject({ body: { result: {} } })
}, 240_000)
