import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { startStepAgents } from '../place/agents.js'
import { type DashboardPlace, openDashboardPlace } from '../place/dashboard-place.js'
import { fillShowcase } from '../place/showcase.js'
import { launchChromium } from './chromium.js'

const FOLDER = fileURLToPath(new URL('../../../../.synchub/screenshots', import.meta.url))
const SCREENS = { desktop: { width: 1320, height: 860 }, phone: { width: 390, height: 844 } } as const

let browser: Browser
let place: DashboardPlace
let agents: Awaited<ReturnType<typeof startStepAgents>>
let pages: Readonly<Record<string, string>>

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true })
  agents = await startStepAgents()
  place = await openDashboardPlace({ agents: agents.agents })
  const { planned, running } = await fillShowcase(place)
  pages = {
    traces: '/ui/traces',
    'traces-none': '/ui/traces?text=nothing-has-this-name',
    trace: `/ui/traces/${planned}`,
    'trace-live': `/ui/traces/${running}`,
    'trace-unknown': '/ui/traces/trace-order-export',
    agents: '/ui/agents',
  }
  browser = await launchChromium()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await place?.stop()
  await agents?.stop()
})

describe('the pictures of every page', () => {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`are taken on a ${screen}, ${colorScheme}`, async () => {
        const locale = colorScheme === 'dark' ? 'ko-KR' : 'en-GB'
        const context = await browser.newContext({
          viewport,
          colorScheme,
          locale,
          deviceScaleFactor: 1,
          hasTouch: screen === 'phone',
        })
        const page = await context.newPage()
        const errors: string[] = []
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
        page.on('pageerror', (error) => errors.push(String(error)))
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(place.url + path)
          await page.getByRole('main').waitFor()
          await page.waitForTimeout(1200)
          await page.screenshot({ path: join(FOLDER, `${name}-${screen}-${colorScheme}.png`) })
        }
        expect(errors).toEqual([])
        await context.close()
      }, 60_000)
    }
  }
})
