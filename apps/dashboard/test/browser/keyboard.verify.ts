import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

/** Tabs that nobody should need more of. */
const MOST_TABS = 25

let room: BrowserRoom
let place: DashboardPlace

/** Where the keys go, in words: the tag, its name, and the first words in it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return `${at?.tagName} ${at?.getAttribute('aria-label') ?? ''} ${at?.textContent?.slice(0, 40) ?? ''}`
  })

const isWithin = (page: Page, selector: string) =>
  page.evaluate((name) => document.activeElement?.closest(name) !== null, selector)

/** Presses Tab until the focus stands within a part of the page; gives how often. */
async function tabTo(page: Page, selector: string): Promise<number> {
  for (let tabs = 1; tabs <= MOST_TABS; tabs++) {
    await page.keyboard.press('Tab')
    if (await isWithin(page, selector)) return tabs
  }
  throw new Error(`${MOST_TABS} tabs did not lead to ${selector}, but to ${await focused(page)}`)
}

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) await page.keyboard.press(key)
}

describeInBrowser('keys alone', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
    place = await room.openPlace()
    const client = createClient({ baseUrl: place.url, callerAgent: 'SyncVerse' })
    await client.call('deep_research', { question: 'long', steps: 170, stepMs: 1 }, { traceId: 'trace-long' })
  }, 60_000)

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  test('walk the log of a trace, and come to the panel in one step from any of its events', async () => {
    const page = await (await room.openContext()).newPage()
    await page.goto(`${place.url}/ui/traces`)
    await page.getByRole('link', { name: /trace-long/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^17\d events$/).waitFor()
    expect(await isWithin(page, 'main')).toBe(true)
    await tabTo(page, '[aria-label="Events"] [data-row]')
    await press(page, 'ArrowDown', 60)
    expect(await focused(page)).toMatch(/^BUTTON {2}61\+/)
    await page.getByRole('heading', { name: 'Event 61 · Progress' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await isWithin(page, 'aside')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await focused(page)).toMatch(/^BUTTON {2}61\+/)
    await page.keyboard.press('End')
    expect(await focused(page)).toMatch(/^BUTTON {2}17\d\+/)
    await page.mouse.move(400, 600)
    await page.mouse.wheel(0, -9000)
    await page.getByText('Received').waitFor()
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toMatch(/^BUTTON {2}17\d\+/)
  }, 60_000)

  test('go from an event to its call and back to the timeline without getting lost', async () => {
    const page = await (await room.openContext()).newPage()
    await page.goto(`${place.url}/ui/traces/trace-long?event=3`)
    await page.getByRole('heading', { name: 'Event 3 · Started' }).waitFor()
    expect(await focused(page)).toMatch(/^BODY/)
    await page.getByRole('button', { name: 'Go to its call' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'deep_research', level: 2 }).waitFor()
    expect(await focused(page)).toMatch(/^H2 {2}deep_research/)
    await page.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('aside').count()).toBe(0)
    expect(await isWithin(page, '[aria-label="Timeline"]')).toBe(true)
  }, 60_000)
})
