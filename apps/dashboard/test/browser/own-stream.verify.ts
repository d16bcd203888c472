import { expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { BrowserContext, Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { type BrowserRoom, shareRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'
import { countStreams } from './open-streams.js'
import { showTab } from './tab-visibility.js'

let room: BrowserRoom
let place: DashboardPlace
let context: BrowserContext

async function openTab(traceId: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${place.url}/ui/traces/${traceId}`)
  await page.getByText('Live', { exact: true }).waitFor()
  return page
}

async function isLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
  const events = page.getByText(/^\d+ events$/)
  const before = await events.textContent()
  await events.and(page.locator(`:not(:text-is("${before}"))`)).waitFor()
}

describeInBrowser('a browser without shared workers', () => {
  shareRoom((opened, at) => {
    room = opened
    place = at
  })

  test('keeps a stream for the tab that is looked at alone, and misses nothing of what came meanwhile', async () => {
    const streams = countStreams()
    context = await room.openContext()
    await context.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'SharedWorker')
    })
    const client = createClient({ baseUrl: place.url })
    const { traceId } = await client.start('deep_research', { question: 'alone', steps: 200, stepMs: 300 })
    const first = await openTab(traceId)
    expect(await first.evaluate(() => typeof SharedWorker)).toBe('undefined')
    await isLive(first)
    expect(streams.open()).toBe(1)
    await showTab(first, 'hidden')
    await expect(streams.become(0)).resolves.toBe(true)
    const second = await openTab(traceId)
    await isLive(second)
    expect(streams.open()).toBe(1)
    await showTab(second, 'hidden')
    await showTab(first, 'visible')
    await isLive(first)
    expect(streams.open()).toBe(1)
    await place.restartHub(async () => {
      await first.getByText('Not connected').waitFor()
    })
    await isLive(first)
    const { calls } = await client.trace(traceId)
    for (const { callId } of calls) await client.cancel(callId)
    await first.getByText('Cancelled', { exact: true }).first().waitFor()
    const { lastSeq } = await client.trace(traceId)
    await first.getByText(`${lastSeq} events`, { exact: true }).waitFor()
    streams.stop()
  }, 120_000)
})
