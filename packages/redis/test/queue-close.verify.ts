import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { newCall } from './call/sample-call.js'
import { atEnd, closeAll } from './place/cleanup.js'
import { type RedisServer, startTestServer } from './place/redis-server.js'
import { openTestStore, type TestStore } from './place/test-store.js'
import { openQueues, startWorker } from './queue/test-worker.js'

let server: RedisServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(closeAll)

interface Way {
  readonly url: string
  /** How much was lost on it so far. */
  lostChunks(): number
  /** Redis is gone from behind it: what connects is taken, and cut. */
  cut(): void
}

/** A way to Redis on which what `isLost` says is lost, and all that follows it on the same connection. Asked anew for each connection. */
async function startWay(judge: () => (chunk: Buffer) => boolean): Promise<Way> {
  const sockets = new Set<Socket>()
  let lostChunks = 0
  let isCut = false
  const way = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(server.port, '127.0.0.1')
    const isLost = judge()
    let isDeaf = false
    near.on('data', (chunk: Buffer) => {
      isDeaf ||= isLost(chunk)
      if (isDeaf) lostChunks++
      else far.write(chunk)
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  })
  atEnd(() => way.close())
  await once(way.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `redis://127.0.0.1:${(way.address() as AddressInfo).port}`,
    lostChunks: () => lostChunks,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The store of a worker over this way, with a call for it in the queue. */
async function openWorkerStore(way: Way): Promise<TestStore> {
  const direct = await openTestStore({ url: () => server.url })
  await openQueues(direct).add(newCall())
  return openTestStore({ url: () => way.url }, { prefix: direct.prefix })
}

/** Sockets and timers that keep this process alive. */
const countHandles = () => process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)).length

/** What is left of them once no more than `wanted` are, or a while has passed: what is being ended has half a second. */
async function handlesLeft(wanted: number): Promise<number> {
  for (const givenUpAt = Date.now() + 2000; countHandles() > wanted && Date.now() < givenUpAt; ) await delay(10)
  return countHandles()
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(10)
}

describe('a worker that is closed leaves no connection and no timer', () => {
  test('where the connection on which it waits for calls was never answered', async () => {
    // The other one has no name.
    const way = await startWay(() => (chunk) => chunk.includes('setname'))
    const store = await openWorkerStore(way)
    const handles = countHandles()
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 1)
    await worker.close()
    expect(await handlesLeft(handles)).toBeLessThanOrEqual(handles)
  }, 30_000)

  test('where Redis went away twice with an answer that it waits for', async () => {
    const way = await startWay(() => {
      let isNamed = false
      let questions = 0
      return (chunk) => {
        isNamed ||= chunk.includes('setname')
        // The first one is that of the connection itself, the second one that of BullMQ.
        if (isNamed && chunk.includes('info')) questions++
        return questions > 1
      }
    })
    const store = await openWorkerStore(way)
    let tries = 0
    store.link.commands.on('reconnecting', () => tries++)
    const handles = countHandles()
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 1)
    await until(() => way.lostChunks() > 0)
    way.cut()
    await until(() => tries > 2)
    await worker.close()
    expect(worker.failures.map(String).filter((failure) => failure.includes('without a goodbye'))).toEqual([])
    expect(await handlesLeft(handles)).toBeLessThanOrEqual(handles)
  }, 30_000)
})
