import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { newCall } from './call/sample-call.js'
import { describeQueues } from './contract/queue-contract.js'
import { atEnd } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { openTestStore, type TestStore } from './place/test-store.js'
import { openQueues, startWorker } from './queue/test-worker.js'

const SCRIPT = fileURLToPath(new URL('fixtures/queue-worker.mjs', import.meta.url))

describeQueues(SHARED_REDIS)

/** A worker in a process of its own: the built package, as an operator runs it. */
function startProcess({ prefix }: TestStore) {
  const child = spawn(process.execPath, [SCRIPT, SHARED_REDIS.url(), prefix, 'SyncBoot'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited }
}

describe('a worker that is killed in the middle of a run', () => {
  test('leaves its call to another within 10 s', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const queues = openQueues(store)
    const call = newCall()
    await queues.add(call)
    const { child, exited } = startProcess(store)
    expect(await once(child, 'message')).toEqual([call.callId, undefined])
    child.kill('SIGKILL')
    await exited
    const killedAt = Date.now()
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 1)
    expect(Date.now() - killedAt).toBeLessThan(10_000)
    expect(worker.ran).toEqual([call.callId])
    await worker.close()
    expect([worker.failures, await queues.has(call)]).toEqual([[], false])
  }, 20_000)
})
