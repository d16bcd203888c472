import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { fillShowcase } from '../place/showcase.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

/** Where the pictures are put: `npm run screenshots`. */
const FOLDER = fileURLToPath(new URL('../../../../.synchub/screenshots', import.meta.url))
const SCREENS = { desktop: { width: 1320, height: 860 }, phone: { width: 390, height: 844 } } as const

const LOGS = /\/traces\/[^/]+\/events/
const AGENTS = /^[^/]+\/\/[^/]+\/agents/
const TRACES = /^[^/]+\/\/[^/]+\/traces\?/

/** A resource of the researcher. */
const REPORT_URI = encodeURIComponent('report://syncinsight/rep-1')

interface Picture {
  readonly path: string
  /** At the hub that asks for keys. */
  readonly isKeyed?: boolean
  /** What the hub fails to answer. */
  readonly failing?: RegExp
  /** What the hub never answers. */
  readonly silent?: RegExp
  act?(page: Page): Promise<void>
}

let room: BrowserRoom
let place: DashboardPlace
let keyed: DashboardPlace
let pictures: Readonly<Record<string, Picture>>

describeInBrowser('the pictures of every page', () => {
  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true })
    room = await openBrowserRoom()
    const key = {
      name: 'operator',
      sha256: hashApiKey('key-of-nobody'),
      tenant: 'acme',
      agent: 'Dashboard',
      scopes: [],
    }
    const access = { mode: 'keys', keys: [key] }
    ;[place, keyed] = await Promise.all([room.openPlace(), room.openPlace(access)])
    const { planned, retriedCallId, failedCallId, resolvedCallId, running } = await fillShowcase(place)
    const replay = async (page: Page) => {
      await page.getByRole('button', { name: /^(Replay|다시 보기)$/ }).click()
      await page.getByRole('slider').fill('6000')
    }
    const confirm = async (page: Page) => {
      await page.getByRole('button', { name: /^(Cancel|취소)$/ }).click()
    }
    const read = async (page: Page) => {
      await page.getByRole('button', { name: /^(Read it|읽기)$/ }).click()
      await page.getByRole('heading', { name: 'Findings' }).waitFor()
    }
    const fillIn = async (page: Page) => {
      await page.getByLabel(/^topic/).fill('queues')
      await page.getByRole('button', { name: /^(Show the prompt|프롬프트 보기)$/ }).click()
      await page.getByText('Write the weekly report on queues').waitFor()
    }
    const addField = async (page: Page) => {
      await page.getByRole('button', { name: /^(Add|추가)$/ }).click()
    }
    const showLog = async (page: Page) => {
      // A phone shows one part at a time.
      const tab = page.getByRole('tab', { name: /^(Events|이벤트)/ })
      if ((await tab.count()) > 0) await tab.click()
    }
    const askResolve = async (page: Page) => {
      await page.getByRole('button', { name: /^(Resolve export_orders|export_orders 해결)$/ }).click()
      await page.getByRole('textbox').fill('The orders were exported: ticket 91')
    }
    const askRerun = async (page: Page) => {
      await page.getByRole('button', { name: /^(Run again|다시 실행): export_orders$/ }).click()
    }
    pictures = {
      traces: { path: '/ui/traces' },
      'traces-none': { path: '/ui/traces?text=nothing-has-this-name' },
      'traces-failed': { path: '/ui/traces', failing: TRACES },
      'traces-loading': { path: '/ui/traces', silent: TRACES },
      'traces-bad': { path: '/ui/traces?state=bad' },
      trace: { path: `/ui/traces/${planned}` },
      'trace-tool-failed': { path: '/ui/traces/trace-label-print' },
      'trace-call': { path: `/ui/traces/${planned}?call=${retriedCallId}` },
      'trace-failure': { path: `/ui/traces/${planned}?call=${failedCallId}` },
      'trace-event': { path: `/ui/traces/${planned}?event=13` },
      'trace-replay': { path: `/ui/traces/${planned}`, act: replay },
      'trace-live': { path: `/ui/traces/${running}` },
      'trace-cancel': { path: `/ui/traces/${running}`, act: confirm },
      'trace-log-failed': { path: `/ui/traces/${planned}`, failing: LOGS, act: showLog },
      'trace-log-loading': { path: `/ui/traces/${planned}`, silent: LOGS, act: showLog },
      'trace-missing': { path: '/ui/traces/no-such-trace' },
      agents: { path: '/ui/agents' },
      'sign-in': { path: '/ui/traces', isKeyed: true },
      queues: { path: '/queues/board/' },
      'dead-letters': { path: '/ui/dead-letters' },
      'dead-letters-resolve': { path: '/ui/dead-letters', act: askResolve },
      'dead-letters-rerun': { path: '/ui/dead-letters', act: askRerun },
      'dead-letters-resolved': { path: '/ui/dead-letters?resolved=1' },
      'dead-letters-none': { path: '/ui/dead-letters?agent=Nobody' },
      'trace-resolved': { path: `/ui/traces/trace-stock-sync?call=${resolvedCallId}` },
      agent: { path: '/ui/agents/SyncInsight?tool=deep_research' },
      'agent-form': { path: '/ui/agents/SyncBoot?tool=generate_schema', act: addField },
      'agent-failed': { path: '/ui/agents/SyncInsight', failing: AGENTS },
      'agents-failed': { path: '/ui/agents', failing: AGENTS },
      'agent-resource': { path: `/ui/agents/SyncInsight?resource=${REPORT_URI}`, act: read },
      'agent-prompt': { path: '/ui/agents/SyncInsight?prompt=weekly_report', act: fillIn },
    }
  }, 60_000)

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`are taken on a ${screen}, ${colorScheme}`, async () => {
        // Both languages get their pictures.
        const locale = colorScheme === 'dark' ? 'ko-KR' : 'en-GB'
        const hasTouch = screen === 'phone'
        const context = await room.openContext({ viewport, colorScheme, locale, hasTouch, reducedMotion: 'reduce' })
        const page = await context.newPage()
        const errors: string[] = []
        page.on('console', (message) => {
          // That something is missing or fails, or that one has not signed in, is told by its page, and by the browser too.
          if (message.type() === 'error' && !/40[14]|500/.test(message.text())) errors.push(message.text())
        })
        page.on('pageerror', (error) => errors.push(String(error)))
        for (const [name, { path, isKeyed, failing, silent, act }] of Object.entries(pictures)) {
          if (failing !== undefined) await page.route(failing, (route) => route.fulfill({ status: 500 }))
          if (silent !== undefined) await page.route(silent, () => undefined)
          await page.goto((isKeyed ? keyed : place).url + path)
          await page.getByRole('main').waitFor()
          await page.waitForTimeout(900)
          await act?.(page)
          await page.waitForTimeout(200)
          await page.screenshot({ path: join(FOLDER, `${name}-${screen}-${colorScheme}.png`) })
          await page.unrouteAll()
        }
        expect(errors).toEqual([])
      }, 150_000)
    }
  }
})
