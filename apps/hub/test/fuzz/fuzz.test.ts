import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { runFuzzedHub } from './fuzzed-hub.js'
import { judgeOperation, oddOperations } from './operations.js'
import { judgeRpcAnswer, rpcOddities } from './rpc-messages.js'

let url: string

beforeAll(async () => {
  url = await runFuzzedHub()
})

afterAll(closeAll)

test('whatever is sent to /rpc is answered under its own id, each of a batch, and never with 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(rpcOddities, async (oddity) => {
      expect(await judgeRpcAnswer(url, oddity)).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

test('whatever is asked of the operations API has an answer, and a refusal its form', async () => {
  await fc.assert(
    fc.asyncProperty(oddOperations, async (operation) => {
      expect(await judgeOperation(url, operation)).toBeUndefined()
    }),
    { numRuns: 200 },
  )
})
