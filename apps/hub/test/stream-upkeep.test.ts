import { once } from 'node:events'
import { get } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { postForStream, seqsOf, watchTrace } from './event-reader.js'
import { callFrame, startCall } from './hub-requests.js'
import { connectRaw } from './raw-connection.js'
import { type RunningHub, runHub } from './running-hub.js'
import { openStream, serveScript, toolOf, writeEvent } from './scripted-agent.js'
import { serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

afterEach(closeAll)

async function runWork(streams = {}) {
  const work = steeredTool('work')
  const agent = await serveTools([work.tool])
  const hub = await runHub({ agents: { Agent: { url: agent.url } }, streams })
  const begin = async (traceId: string) => {
    const callId = await startCall(hub.url, 'work', {}, { traceId })
    return { callId, run: await work.nextRun() }
  }
  return { hub, work, begin }
}

/** Channels of traces that somebody is subscribed to. */
async function watchedChannels({ link, prefix }: RunningHub): Promise<readonly string[]> {
  return (await link.commands.pubsub('CHANNELS', `${prefix}:*:live`)) as string[]
}

describe('an event stream', () => {
  test('sends its headers, and how soon to come back, before the first event', async () => {
    const { hub } = await runWork({ retryMs: 1234 })
    const reader = await watchTrace(hub.url, 'silent/events?follow=1', { 'Accept-Encoding': 'gzip, br' })
    const { headers, status } = reader.response
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(headers.get('connection')).toBe('keep-alive')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('content-encoding')).toBeNull()
    await until(() => reader.retryMs === 1234)
    expect(reader.events).toEqual([])
  })

  test('is kept alive by comments while it is silent, also that of a POST', async () => {
    const { hub, work } = await runWork({ heartbeatMs: 40 })
    const watching = await watchTrace(hub.url, 'silent/events?follow=1')
    const posted = await postForStream(hub.url, callFrame('work', {}, { traceId: 'posted' }))
    const run = await work.nextRun()
    await until(() => watching.comments >= 3 && posted.comments >= 3)
    expect(posted.events).toEqual([])
    run.complete()
    await posted.over
  })

  test('is closed at its greatest age, and the reader resumes without a loss', async () => {
    const { hub, begin } = await runWork({ maxAgeMs: 150 })
    const { run } = await begin('old')
    const openedAtMs = performance.now()
    const first = await watchTrace(hub.url, 'old/events?follow=1')
    await first.over
    // Spread by a fifth, so that readers that came together do not come back together.
    expect(performance.now() - openedAtMs).toBeGreaterThanOrEqual(115)
    expect(first.events.map(({ event }) => event)).toEqual(['received', 'accepted', 'started'])
    run.ctx.progress({ progress: 1 })
    run.complete()
    const second = await watchTrace(hub.url, 'old/events', { 'Last-Event-ID': String(first.events.at(-1)?.id) })
    await second.over
    expect(seqsOf(second)).toEqual([4, 5])
  })

  test('delivers each event at once, though it is small', async () => {
    const { hub, begin } = await runWork()
    const { run } = await begin('small')
    const reader = await watchTrace(hub.url, 'small/events')
    await reader.count(3)
    for (let at = 1; at <= 5; at++) {
      const sentAtMs = performance.now()
      run.ctx.progress({ progress: at })
      await reader.count(3 + at)
      expect(performance.now() - sentAtMs).toBeLessThan(1000)
    }
    run.complete()
    await reader.over
  })
})

describe('a reader that takes nothing', () => {
  // More than the buffers of the kernel take.
  const EVENTS = 700
  const all = Array.from({ length: EVENTS + 4 }, (_, at) => at + 1)

  async function flood(streams: JsonObject) {
    const agent = await serveScript([toolOf('flood')], async (res) => {
      openStream(res)
      for (let at = 1; at <= EVENTS; at++) {
        writeEvent(res, 'progress', { progress: at, message: '한'.repeat(4000) })
        if (res.writableNeedDrain) await once(res, 'drain')
      }
      writeEvent(res, 'complete', { result: {} })
      res.end()
    })
    const hub = await runHub({ agents: { Agent: { url: agent.url } }, streams })
    const slow = await connectRaw(hub.url)
    slow.socket.pause()
    const { host } = new URL(hub.url)
    slow.socket.write(
      `GET /traces/flood/events?follow=1 HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`,
    )
    const quick = await watchTrace(hub.url, 'flood/events?follow=1')
    await startCall(hub.url, 'flood', {}, { traceId: 'flood' })
    await quick.next('complete')
    expect(seqsOf(quick)).toEqual(all)
    return { hub, slow }
  }

  const idsIn = (text: string) => [...text.matchAll(/^id: (\d+-\d+)$/gm)].map((match) => match[1] ?? '')
  const seqsIn = (text: string) => idsIn(text).map((id) => Number(id.split('-')[0]))

  test('is cut, costs a bounded amount and holds nobody up', async () => {
    const { hub, slow } = await flood({ maxBufferedBytes: 64 * 1024, stallTimeoutMs: 1500 })
    await until(() => hub.logs.some((line) => line.includes('event stream cut: the reader took nothing')))
    slow.socket.resume()
    await until(() => slow.isClosed())
    // What it got before it was cut is a beginning without a hole, from which it can go on.
    const seen = seqsIn(slow.text())
    expect(seen.length).toBeLessThan(EVENTS)
    expect(seen).toEqual(all.slice(0, seen.length))
    const rest = await watchTrace(hub.url, 'flood/events', { 'Last-Event-ID': String(idsIn(slow.text()).at(-1)) })
    await rest.over
    expect(seqsOf(rest)).toEqual(all.slice(seen.length))
  }, 30_000)

  test('leaves the live path, and catches up when it reads on before it is cut', async () => {
    const { slow } = await flood({ maxBufferedBytes: 4096, stallTimeoutMs: 20_000 })
    slow.socket.resume()
    await until(() => slow.text().includes('event: complete'))
    expect(seqsIn(slow.text())).toEqual(all)
  }, 30_000)
})

describe('readers that come and go', () => {
  test('leave no socket, timer or subscription behind', async () => {
    const CYCLES = 500
    const { hub } = await runWork()
    const resources = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length
    const cycle = (at: number) =>
      new Promise<void>((resolve) => {
        const path = `/traces/cycle-${at % 7}/events?follow=1`
        const req = get(`${hub.url}${path}`, { headers: { Accept: 'text/event-stream' }, agent: false }, (res) => {
          // Half of them without a goodbye.
          if (at % 2 === 0) req.destroy()
          else res.socket.resetAndDestroy()
        })
        req.on('close', resolve)
        req.on('error', () => undefined)
      })
    await cycle(0)
    await until(async () => (await watchedChannels(hub)).length === 0)
    const before = resources()
    for (let at = 0; at < CYCLES; at += 25) {
      await Promise.all(Array.from({ length: 25 }, (_, offset) => cycle(at + offset)))
    }
    await until(async () => (await watchedChannels(hub)).length === 0)
    await until(() => resources() <= before)
    expect(hub.logs.filter((line) => line.includes('MaxListeners'))).toEqual([])
  }, 30_000)

  test('share one subscription per trace', async () => {
    const { hub } = await runWork()
    const readers = await Promise.all(Array.from({ length: 20 }, () => watchTrace(hub.url, 'one/events?follow=1')))
    await until(async () => (await watchedChannels(hub)).length === 1)
    const [channel] = await watchedChannels(hub)
    expect(await hub.link.commands.pubsub('NUMSUB', channel ?? '')).toEqual([channel, 1])
    for (const reader of readers) reader.close()
    await until(async () => (await watchedChannels(hub)).length === 0)
  })
})

describe('a hub that stops', () => {
  test('ends 200 open streams within 5 s, and says nothing that is not true', async () => {
    const { hub, begin } = await runWork()
    await begin('stopping')
    const readers = await Promise.all(Array.from({ length: 200 }, () => watchTrace(hub.url, 'stopping/events')))
    await Promise.all(readers.map((reader) => reader.count(3)))
    const startedAtMs = performance.now()
    await hub.hub.stop()
    expect(performance.now() - startedAtMs).toBeLessThan(5000)
    await Promise.all(readers.map((reader) => reader.over))
    for (const reader of readers) expect(reader.events).toHaveLength(3)
    // They come back one after the other.
    const pauses = readers.map(({ retryMs = 0 }) => retryMs)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2000)
    expect(new Set(pauses).size).toBeGreaterThan(50)
  }, 30_000)
})
