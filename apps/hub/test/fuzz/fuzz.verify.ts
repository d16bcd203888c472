import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { runFuzzedHub } from './fuzzed-hub.js'
import { judgeOperation, oddOperations } from './operations.js'
import { judgeRpcAnswer, rpcOddities } from './rpc-messages.js'

/** Requests under way at the same time. */
const AT_ONCE = 20

let url: string

beforeAll(async () => {
  url = await runFuzzedHub()
})

afterAll(closeAll)

/** Sends so many of them, several at once, and tells what was wrong with the first answers that were not as they should be. */
async function findFaults<Odd>(
  odd: fc.Arbitrary<Odd>,
  count: number,
  judge: (sent: Odd) => Promise<string | undefined>,
) {
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const batch = fc.sample(odd, AT_ONCE)
    const faults = await Promise.all(batch.map(judge))
    const found = batch.flatMap((message, at) => (faults[at] === undefined ? [] : [{ message, fault: faults[at] }]))
    if (found.length > 0) return found
  }
  return []
}

test('whatever is sent to /rpc, twenty thousand times and several at once, is answered as it should be', async () => {
  expect(await findFaults(rpcOddities, 20_000, (oddity) => judgeRpcAnswer(url, oddity))).toEqual([])
}, 240_000)

test('whatever is asked of the operations API, five thousand times and several at once, has an answer', async () => {
  expect(await findFaults(oddOperations, 5_000, (operation) => judgeOperation(url, operation))).toEqual([])
}, 240_000)
