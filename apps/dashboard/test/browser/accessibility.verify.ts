import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { fillShowcase, type Showcase } from '../place/showcase.js'
import { findWithAxe } from './axe-findings.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

/** Rules of axe that pages of bull-board break. */
const BULL_BOARD_RULES = ['button-name', 'color-contrast']

const SCHEMES = ['light', 'dark'] as const

let room: BrowserRoom
let open: DashboardPlace
let keyed: DashboardPlace
let showcase: Showcase

async function openPage(url: string, colorScheme: (typeof SCHEMES)[number]): Promise<Page> {
  const context = await room.openContext({ colorScheme })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

describeInBrowser('what everybody can use', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
    const key = {
      name: 'a',
      sha256: hashApiKey('key-of-nobody-0123456789'),
      tenant: 'acme',
      agent: 'Dashboard',
      scopes: [],
    }
    ;[open, keyed] = await Promise.all([room.openPlace(), room.openPlace({ mode: 'keys', keys: [key] })])
    showcase = await fillShowcase(open)
  }, 60_000)

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  test.each([
    '/ui/traces',
    '/ui/traces?text=nothing-has-this-name',
    '/ui/dead-letters',
    '/ui/dead-letters?resolved=1',
    '/ui/traces/trace-membership-plan?event=13',
    '/ui/agents',
    '/ui/agents/SyncInsight?tool=deep_research',
    '/ui/agents/SyncInsight?template=report%3A%2F%2Fsyncinsight%2F%7BreportId%7D',
    '/ui/agents/SyncInsight?prompt=weekly_report',
    '/ui/no-such-page',
  ])(
    'is every page: axe finds nothing on %s',
    async (path) => {
      for (const scheme of SCHEMES) {
        const page = await openPage(open.url + path, scheme)
        await page.getByText('Live', { exact: true }).waitFor()
        await page.waitForTimeout(700)
        expect(await findWithAxe(page)).toEqual([])
      }
    },
    60_000,
  )

  test('is the form of a tool, whose boxes are large enough to be seen and hit', async () => {
    for (const scheme of SCHEMES) {
      const page = await openPage(`${open.url}/ui/agents/SyncBoot?tool=generate_schema`, scheme)
      await page.getByRole('button', { name: 'Add' }).click()
      const boxes = page.getByRole('checkbox')
      expect(await boxes.count()).toBe(2)
      for (const box of await boxes.all()) {
        const { width = 0, height = 0 } = (await box.boundingBox()) ?? {}
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(16)
      }
      expect(await findWithAxe(page)).toEqual([])
    }
  }, 60_000)

  test.each([
    ['desktop', 'light', { width: 1280, height: 800 }],
    ['phone', 'dark', { width: 390, height: 844 }],
  ] as const)(
    'is what one opens on a page, and what has failed, on a %s, %s',
    async (screen, colorScheme, viewport) => {
      const page = await (await room.openContext({ colorScheme, viewport })).newPage()
      const check = async (path: string, act: () => Promise<unknown>) => {
        await page.goto(open.url + path)
        await act()
        await page.waitForTimeout(300)
        expect({ path, found: await findWithAxe(page) }).toEqual({ path, found: [] })
      }
      const { planned, retriedCallId, failedCallId } = showcase
      const findings = page.getByRole('heading', { name: 'Findings' })
      await check(`/ui/traces/${planned}?call=${retriedCallId}`, () => findings.waitFor())
      await check(`/ui/traces/${planned}?call=${failedCallId}`, () => page.getByRole('alert').waitFor())
      await check(`/ui/traces/${planned}`, () => page.getByRole('button', { name: 'Replay' }).click())
      await check('/ui/traces', () => page.getByRole('button', { name: 'Settings and account' }).click())
      await check('/ui/traces/no-such-trace', () => page.getByRole('alert').waitFor())
      await check('/ui/agents/SyncInsight?resource=report%3A%2F%2Fsyncinsight%2Frep-1', async () => {
        await page.getByRole('button', { name: 'Read it' }).click()
        await findings.waitFor()
      })
      await page.route(/\/traces(\/[^/]+\/events|\?)/, (route) => route.fulfill({ status: 500 }))
      await check('/ui/traces', () => page.getByRole('alert').waitFor())
      await check(`/ui/traces/${planned}`, async () => {
        if (screen === 'phone') await page.getByRole('tab', { name: 'Events' }).click()
        await page.getByRole('alert').waitFor()
      })
    },
    60_000,
  )

  test('is the question what became of a dead letter', async () => {
    for (const scheme of SCHEMES) {
      const page = await openPage(`${open.url}/ui/dead-letters`, scheme)
      await page.getByRole('button', { name: 'Resolve export_orders' }).click()
      await page.getByLabel('What you found out').fill('It was exported')
      expect(await findWithAxe(page)).toEqual([])
    }
  }, 60_000)

  test('is the sign-in, also once it has refused a key', async () => {
    for (const scheme of SCHEMES) {
      const page = await openPage(`${keyed.url}/ui/traces`, scheme)
      await page.getByLabel('API key').waitFor()
      expect(await findWithAxe(page)).toEqual([])
      await page.getByLabel('API key').fill('wrong-key')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      expect(await findWithAxe(page)).toEqual([])
    }
  }, 60_000)

  // Their markup is bull-board's: what it is found wrong is listed in docs/OPERATIONS.md, and nothing may come to it.
  test('are the queues but for what is known of bull-board', async () => {
    for (const scheme of SCHEMES) {
      const page = await openPage(`${open.url}/queues/board/`, scheme)
      await page.getByText('agent-SyncInsight').first().waitFor()
      expectKnown(await findWithAxe(page))
      await page.getByText('agent-SyncInsight').first().click()
      await page.getByText('callId').first().waitFor()
      expectKnown(await findWithAxe(page))
    }
  }, 60_000)
})

function expectKnown(findings: readonly string[]): void {
  const others = findings.filter((finding) => !BULL_BOARD_RULES.some((rule) => finding.startsWith(`${rule}: `)))
  expect(others).toEqual([])
}
