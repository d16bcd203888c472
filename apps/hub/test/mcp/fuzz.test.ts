import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'
import { judgeAnswer, oddities } from './fuzz.js'
import { askLegacy, openSession } from './mcp-requests.js'

let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({
    agents: { Agent: { url: agent.url, mode: 'direct' } },
    limits: { maxWaitMs: 1000, defaultWaitMs: 500 },
  })
})

afterAll(closeAll)

test('whatever is sent, the answer is no 5xx, comes, and is that of the request', async () => {
  const session = await openSession(hub.url)
  await fc.assert(
    fc.asyncProperty(oddities(session), async (oddity) => {
      expect(await judgeAnswer(hub.url, oddity)).toBeUndefined()
    }),
    { numRuns: 400 },
  )
  // What was sent within it was judged there, and has not ended it.
  expect(await askLegacy(hub.url, 'ping', {}, { 'Mcp-Session-Id': session })).toMatchObject({ body: { result: {} } })
})
