import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { fillShowcase } from '../place/showcase.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

/** What an operator may need from the start page to the end of a task. */
const MOST_CLICKS = 3

let room: BrowserRoom
let place: DashboardPlace
let context: BrowserContext

/** A person at the start page, whose clicks are counted. */
interface Operator {
  readonly page: Page
  readonly clicks: number
  click(target: Locator): Promise<void>
  /** Opening a list and taking one of it. */
  choose(target: Locator, value: string): Promise<void>
}

async function atStart(): Promise<Operator> {
  const page = await context.newPage()
  await page.goto(`${place.url}/ui/`)
  await page.getByRole('heading', { name: 'Traces' }).waitFor()
  let clicks = 0
  return {
    page,
    get clicks() {
      return clicks
    },
    async click(target) {
      clicks++
      await target.click()
    },
    async choose(target, value) {
      clicks += 2
      await target.selectOption(value)
    },
  }
}

function expectFewClicks(task: string, { clicks }: Operator): void {
  process.stdout.write(`${task}: ${clicks} clicks\n`)
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
}

describeInBrowser('an operator, from the start page, in three clicks', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
    place = await room.openPlace()
    await fillShowcase(place)
  }, 60_000)

  beforeEach(async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    context = await room.openContext({ permissions })
  })

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  test('finds the failed run of an hour ago and says why', async () => {
    const operator = await atStart()
    const { page } = operator
    await operator.choose(page.getByLabel('State'), 'bad')
    await operator.click(page.getByRole('link', { name: /run_regression trace-night-suite/ }))
    await page.getByText("The agent's answer breaks its contract").waitFor()
    await page.getByText('quantity must be a number', { exact: false }).first().waitFor()
    expectFewClicks('find the failed run of an hour ago and say why', operator)
  }, 60_000)

  test('runs it again', async () => {
    const { callId } = await createClient({ baseUrl: place.url }).start(
      'generate_schema',
      { domainName: 'Order' },
      { traceId: 'trace-to-repeat' },
    )
    const operator = await atStart()
    const { page } = operator
    await operator.click(page.getByRole('link', { name: /trace-to-repeat/ }))
    await operator.click(page.getByRole('button', { name: 'Run again' }))
    await page.waitForURL((url) => url.pathname.startsWith('/ui/traces/') && !url.pathname.includes('trace-to-repeat'))
    const traceId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { calls } = await createClient({ baseUrl: place.url }).trace(traceId)
    expect(calls[0]?.originCallId).toBe(callId)
    expectFewClicks('run it again', operator)
  }, 60_000)

  test('stops everything that one caller has running, more than a page of the list', async () => {
    const client = createClient({ baseUrl: place.url, callerAgent: 'Runaway' })
    const endless = { question: 'endless', steps: 400, stepMs: 200 }
    await Promise.all(Array.from({ length: 105 }, () => client.start('deep_research', endless)))
    const operator = await atStart()
    const { page } = operator
    await operator.click(page.getByTitle('Show only traces of Runaway').first())
    await operator.click(page.getByRole('button', { name: 'Cancel 100+ running' }))
    await page.getByRole('dialog').getByText('Begun by Runaway.').waitFor()
    await operator.click(page.getByRole('dialog').getByRole('button', { name: 'Cancel 105 running' }))
    await page.getByText('105 cancelled').waitFor()
    const { items } = await client.traces({ caller: 'Runaway', limit: 200 })
    expect(items.map(({ state }) => state)).toEqual(Array.from({ length: 105 }, () => 'cancelled'))
    expectFewClicks('stop everything one caller has running', operator)
  }, 60_000)

  test('finds the slowest agent', async () => {
    const operator = await atStart()
    const { page } = operator
    await operator.click(page.getByRole('link', { name: 'Agents' }))
    await page.getByRole('rowheader', { name: 'SyncETA' }).waitFor()
    await operator.click(page.getByRole('button', { name: 'Slowest 5 %' }))
    await page
      .getByRole('columnheader', { name: 'Slowest 5 %' })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor()
    expect(await page.getByRole('rowheader').first().textContent()).toContain('SyncETA')
    expectFewClicks('find the slowest agent', operator)
  }, 60_000)

  test('follows a research to its report and hands a colleague the link', async () => {
    const client = createClient({ baseUrl: place.url, callerAgent: 'Analyst' })
    await client.start('deep_research', { question: 'followed', steps: 6, stepMs: 500 }, { traceId: 'trace-followed' })
    const operator = await atStart()
    const { page } = operator
    await operator.click(page.getByRole('link', { name: /trace-followed/ }))
    await operator.click(page.getByRole('button', { name: /deep_research SyncInsight/ }))
    await page.getByRole('heading', { name: 'Findings' }).waitFor({ timeout: 30_000 })
    await operator.click(page.getByRole('button', { name: 'Copy link' }))
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const colleague = await (await room.openContext()).newPage()
    await colleague.goto(link)
    await colleague.getByRole('heading', { name: 'Findings' }).waitFor()
    expectFewClicks('follow a research to its report and hand a colleague the link', operator)
  }, 60_000)
})
