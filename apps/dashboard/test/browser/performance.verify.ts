import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createCallId, type NewCall } from '@synchub/core'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

/** What no task may last longer than once a page has loaded, in ms. */
const LIMIT_MS = 100
/** A machine that others use may hold up any one try. */
const TRIES = 3
const TRACES = 10_000
const EVENTS = 50_000
const RESULT_CHARS = 5_000_000
const EVENTS_PER_SECOND = 500
/** Holds the calls of the load, so that no sweep takes them for lost. */
const HUB = 'hub-of-the-load'

let room: BrowserRoom
let place: DashboardPlace

function newCall(traceId: string, tool = 'deep_research'): NewCall {
  return {
    callId: createCallId(place.clock.now()),
    trace: { tenant: 'local', owner: 'local', traceId },
    caller: 'Load',
    agent: 'SyncInsight',
    tool,
    mode: 'direct',
    toolRevision: 'r1',
    arguments: {},
    hubId: HUB,
  }
}

const RECEIVED = { event: 'received', data: { caller: 'Load', agent: 'SyncInsight' } } as const
const ACCEPTED = { event: 'accepted', data: {} } as const

async function begin(call: NewCall): Promise<void> {
  await place.store.log.record(call, [RECEIVED, ACCEPTED])
  await place.store.log.change({ call, events: [{ event: 'started', data: { attempt: 1 } }], opensAttempt: true })
}

const progressOf = (call: NewCall, step: number) =>
  place.store.log.change({ call, events: [{ event: 'progress', data: { progress: step, message: `Step ${step}` } }] })

async function complete(call: NewCall, text: string): Promise<void> {
  const data = { progress: 100, total: 100, content: [{ type: 'text', text }], isError: false, executionTimeMs: 5 }
  await place.store.log.change({ call, events: [{ event: 'complete', data }] })
}

/** Opens a page, does something on it, and gives the longest task after it had loaded, in ms. */
async function longestTask(
  path: string,
  loaded: (page: Page) => Promise<void>,
  act: (page: Page) => Promise<void>,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES && best > LIMIT_MS; attempt++) {
    const page = await (await room.openContext()).newPage()
    await page.goto(place.url + path)
    await loaded(page)
    await observeTasks(page)
    await act(page)
    best = Math.min(best, await page.evaluate(() => (globalThis as typeof globalThis & { longest: number }).longest))
    await room.endTest()
  }
  return best
}

async function observeTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const scope = globalThis as typeof globalThis & { longest: number }
    scope.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) scope.longest = Math.max(scope.longest, duration)
    }).observe({ type: 'longtask' })
  })
}

const report = (what: string, ms: number) =>
  process.stdout.write(`${what}: longest task ${Math.round(ms)} ms, at best of up to ${TRIES} tries\n`)

/** Scrolls a part of the page to its end in steps, as a person with a wheel does. */
async function scroll(page: Page, selector: string): Promise<void> {
  for (let at = 0; at < 25; at++) {
    await page.evaluate((name) => {
      const part = document.querySelector(name)
      if (part !== null) part.scrollTop += part.scrollHeight / 25
    }, selector)
    await page.waitForTimeout(60)
  }
}

describeInBrowser('what is large stays quick', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
    place = await room.openPlace()
    await place.store.leases.showPresence(HUB, 600_000)
    const beganMs = Date.now() - TRACES * 1000
    for (let at = 0; at < TRACES; at += 200) {
      place.clock.set(beganMs + at * 1000)
      await Promise.all(
        Array.from({ length: 200 }, async (_, step) => {
          const call = newCall(`load-${at + step}`)
          await begin(call)
          await complete(call, 'done')
        }),
      )
    }
    place.clock.set(Date.now())
    const long = newCall('long-trace')
    await begin(long)
    for (let at = 1; at <= EVENTS; at += 1000) {
      await Promise.all(Array.from({ length: 1000 }, (_, step) => progressOf(long, at + step)))
    }
    await complete(long, 'done')
    place.clock.set(Date.now())
    const large = newCall('large-result')
    await begin(large)
    const rows = Array.from({ length: 40_000 }, (_, row) => ({ row, name: `name of row ${row}`, note: 'x'.repeat(80) }))
    const text = JSON.stringify(rows)
    if (text.length < RESULT_CHARS) throw new Error(`the large result has only ${text.length} characters`)
    await complete(large, text)
  }, 200_000)

  afterAll(() => room?.close())

  test('a list of ten thousand traces, scrolled to its end', async () => {
    const ms = await longestTask(
      '/ui/traces',
      (page) => page.getByRole('link', { name: /large-result/ }).waitFor(),
      async (page) => {
        await page.getByLabel('Select all that match').click()
        await page.getByText('10,000 selected').waitFor({ timeout: 60_000 })
        await page.evaluate(() =>
          document.querySelector('ul[aria-label="Traces"]')?.parentElement?.setAttribute('id', 'list'),
        )
        await scroll(page, '#list')
      },
    )
    report('10,000 traces', ms)
    expect(ms).toBeLessThanOrEqual(LIMIT_MS)
  }, 120_000)

  test('a trace of fifty thousand events, loaded and scrolled', async () => {
    const ms = await longestTask(
      '/ui/traces/long-trace',
      (page) => page.getByRole('heading', { name: 'deep_research' }).waitFor(),
      async (page) => {
        await page.getByText('50,004 events').waitFor({ timeout: 60_000 })
        await page.evaluate(() => document.querySelector('ol')?.parentElement?.setAttribute('id', 'events'))
        await scroll(page, '#events')
      },
    )
    report('50,000 events', ms)
    expect(ms).toBeLessThanOrEqual(LIMIT_MS)
  }, 200_000)

  test('a result of five megabytes, opened, folded and scrolled', async () => {
    const ms = await longestTask(
      '/ui/traces/large-result',
      (page) => page.getByRole('button', { name: /deep_research SyncInsight/ }).waitFor(),
      async (page) => {
        await page.getByRole('button', { name: /deep_research SyncInsight/ }).click()
        const fold = page.getByRole('button', { name: 'Fold', exact: true }).first()
        await fold.click({ timeout: 30_000 })
        await page.evaluate(() => document.querySelector('figure section')?.setAttribute('id', 'result'))
        await scroll(page, '#result')
        await page.getByRole('button', { name: 'Unfold', exact: true }).first().click()
        await fold.waitFor()
        await scroll(page, '#result')
      },
    )
    report('5 MB result', ms)
    expect(ms).toBeLessThanOrEqual(LIMIT_MS)
  }, 120_000)

  test('five hundred events a second, live', async () => {
    let round = 0
    const ms = await longestTask(
      '/ui/traces',
      (page) => page.getByText('Live', { exact: true }).waitFor(),
      async (page) => {
        const call = newCall(`storm-${round++}`)
        place.clock.set(Date.now())
        await begin(call)
        await page.goto(`${place.url}/ui/traces/${call.trace.traceId}`)
        await page.getByRole('heading', { name: 'deep_research' }).waitFor()
        await observeTasks(page)
        for (let tick = 0; tick < 100; tick++) {
          place.clock.set(Date.now())
          const first = tick * (EVENTS_PER_SECOND / 20)
          await Promise.all(
            Array.from({ length: EVENTS_PER_SECOND / 20 }, (_, step) => progressOf(call, first + step + 1)),
          )
          await page.waitForTimeout(45)
        }
        await page.getByText('2,503 events').waitFor()
        await complete(call, 'done')
        await page.getByText('2,504 events').waitFor()
      },
    )
    report('500 events/s live', ms)
    expect(ms).toBeLessThanOrEqual(LIMIT_MS)
  }, 120_000)
})
