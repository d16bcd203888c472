import { afterAll, describe, expect, test } from '@jest/globals'
import { startApp } from './child-process.js'
import { closeAll } from './cleanup.js'
import { getCall, startCall } from './hub-requests.js'
import { connectRaw, type RawConnection } from './raw-connection.js'
import { openPlace, untilReady } from './running-hub.js'
import { type SteeredRun, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

const WATCHERS = 1000
const TRACES = 20

const traceOf = (at: number) => `idle-${at % TRACES}`

async function watch(url: string, at: number, after?: string): Promise<RawConnection> {
  const connection = await connectRaw(url)
  const head = [
    `GET /traces/${traceOf(at)}/events?follow=1 HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Accept: text/event-stream',
    ...(after === undefined ? [] : [`Last-Event-ID: ${after}`]),
  ]
  connection.socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return connection
}

const idsIn = (connection: RawConnection) =>
  [...connection.text().matchAll(/^id: (\d+-\d+)$/gm)].map((match) => match[1] ?? '')
const pausesIn = (connection: RawConnection) =>
  [...connection.text().matchAll(/^retry: (\d+)$/gm)].map((match) => Number(match[1]))

describe('SIGTERM to a hub with 1,000 idle watchers', () => {
  test('ends it within 5 s; the watchers come back to another hub one after the other, and miss nothing', async () => {
    const work = steeredTool('work')
    const agents = { Agent: { url: (await serveTools([work.tool])).url, concurrency: TRACES } }
    const place = await openPlace({ agents })
    await place.startDispatcher()
    const stays = await place.startHub()
    await untilReady(stays.url)
    const leaving = await startApp('hub', { agents }, { REDIS_PREFIX: place.prefix })
    const url = String((await leaving.logged('hub is listening')).url)
    const runs: SteeredRun[] = []
    for (let at = 0; at < TRACES; at++) {
      await startCall(stays.url, 'work', {}, { traceId: traceOf(at) })
      runs.push(await work.nextRun())
    }
    const watchers: RawConnection[] = []
    for (let at = 0; at < WATCHERS; at += 100) {
      watchers.push(...(await Promise.all(Array.from({ length: 100 }, (_, offset) => watch(url, at + offset)))))
    }
    await until(() => watchers.every((watcher) => idsIn(watcher).length === 3))

    const startedAtMs = performance.now()
    expect(await leaving.end('SIGTERM')).toBe(0)
    expect(performance.now() - startedAtMs).toBeLessThan(5000)
    await until(() => watchers.every((watcher) => watcher.isClosed()))
    // The second pause is that of the stop: each reader has its own.
    const pauses = watchers.map((watcher) => pausesIn(watcher).at(-1) ?? 0)
    for (const watcher of watchers) expect(pausesIn(watcher)).toHaveLength(2)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000)
    expect(new Set(pauses).size).toBeGreaterThan(WATCHERS / 3)

    // What happens while nobody watches is there for those who come back.
    for (const run of runs) run.ctx.progress({ progress: 1 })
    const back = await Promise.all(watchers.map((watcher, at) => watch(stays.url, at, idsIn(watcher).at(-1) ?? '')))
    for (const run of runs) run.complete()
    await until(() => back.every((watcher) => idsIn(watcher).length === 2))
    for (const [at, watcher] of back.entries()) {
      const seqs = [...idsIn(watchers[at] ?? watcher), ...idsIn(watcher)].map((id) => Number(id.split('-')[0]))
      expect(seqs).toEqual([1, 2, 3, 4, 5])
    }
  }, 120_000)
})

describe('SIGTERM to a dispatcher with ten running calls, of which half end in time', () => {
  test('records five, hands five back for one more run, and leaves nothing active', async () => {
    const work = steeredTool('work')
    const agent = { url: (await serveTools([work.tool])).url, concurrency: 10, safeToRepeat: true }
    const config = { agents: { Agent: agent }, stop: { graceMs: 3000 } }
    const place = await openPlace({ agents: config.agents })
    const { url } = await place.startHub()
    const startDispatcher = async () => {
      const app = await startApp('dispatcher', config, { REDIS_PREFIX: place.prefix })
      await app.logged('dispatcher takes calls')
      return app
    }
    const leaving = await startDispatcher()
    await untilReady(url)
    const ids = await Promise.all(Array.from({ length: 10 }, (_, at) => startCall(url, 'work', { at })))
    const runs: SteeredRun[] = []
    for (const _ of ids) runs.push(await work.nextRun())
    const ofHalf = (half: 0 | 1) => runs.filter(({ args }) => Math.floor(Number(args.at) / 5) === half)

    const ended = leaving.end('SIGTERM')
    // Two of three seconds of grace pass first, in which a dispatcher that waits for less would hand back all ten.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const run of ofHalf(0)) run.complete()
    expect(await ended).toBe(0)
    const states = async () => (await Promise.all(ids.map((id) => getCall(url, id)))).map(({ state }) => state)
    expect(await states()).toEqual([...Array(5).fill('completed'), ...Array(5).fill('queued')])

    await startDispatcher()
    await until(async () => (await states()).filter((state) => state === 'running').length === 5)
    for (const run of ofHalf(1)) run.complete()
    await until(async () => (await states()).every((state) => state === 'completed'))
    const calls = await Promise.all(ids.map((id) => getCall(url, id)))
    expect(calls.map(({ attempt }) => attempt)).toEqual([...Array(5).fill(1), ...Array(5).fill(2)])
    expect(work.runs).toHaveLength(10)
    const active = async () => {
      const lists = await place.link.commands.keys(`{${place.prefix}:queue}:*:active`)
      return Promise.all(lists.map((name) => place.link.commands.llen(name)))
    }
    await until(async () => (await active()).every((length) => length === 0))
  }, 60_000)
})
