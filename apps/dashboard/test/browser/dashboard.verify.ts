import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import { createClient } from '@synchub/client'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { fillShowcase, type Showcase } from '../place/showcase.js'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'
import { countStreams } from './open-streams.js'
import { showTab } from './tab-visibility.js'

const KEYS = { alice: 'key-of-alice-0123456789', bob: 'key-of-bob-0123456789', stranger: 'key-of-stranger-0123456789' }
const SCOPES = ['tools:call', 'traces:read:tenant', 'calls:cancel:tenant']
const access = {
  mode: 'keys',
  keys: Object.entries(KEYS).map(([name, key]) => ({
    name,
    sha256: hashApiKey(key),
    tenant: name === 'stranger' ? 'beta' : 'acme',
    subject: name,
    agent: 'Dashboard',
    scopes: SCOPES,
  })),
}

let room: BrowserRoom
let open: DashboardPlace
let keyed: DashboardPlace
let showcase: Showcase

async function openPage(locale = 'en-GB'): Promise<Page> {
  const context = await room.openContext({ locale })
  return context.newPage()
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.goto(`${keyed.url}/ui/`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Traces' }).waitFor()
}

describeInBrowser('the dashboard', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
    ;[open, keyed] = await Promise.all([room.openPlace(), room.openPlace(access)])
    showcase = await fillShowcase(open)
  }, 60_000)

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  test('starts a research from the form and shows it live in two tabs through a restart of the hub', async () => {
    const page = await openPage()
    await page.goto(`${open.url}/ui/agents/SyncInsight?tool=deep_research`)
    await page.getByLabel('Question').fill('Why is nothing lost?')
    await page.getByLabel('Steps').fill('12')
    await page.getByLabel('Step length (ms)').fill('500')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.waitForURL(/\/ui\/traces\/.+call=/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await tab
        .getByText(/Reading source \d+ of 12/)
        .first()
        .waitFor()
    }
    await open.restartHub(async () => {
      await page.getByText('Not connected').waitFor()
    })
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await tab.getByText('Live', { exact: true }).waitFor()
      await tab.getByRole('heading', { name: 'Findings' }).waitFor({ timeout: 30_000 })
      // Every event once: received, accepted, started, twelve steps, complete; a second attempt has its own.
      const shown = await tab.getByText(/^\d+ events$/).textContent()
      const traceId = new URL(tab.url()).pathname.split('/').at(-1) ?? ''
      const { lastSeq } = await createClient({ baseUrl: open.url }).trace(traceId)
      expect(Number.parseInt(shown ?? '', 10)).toBe(lastSeq)
    }
    expect(await page.title()).not.toBe('hacked')
  }, 90_000)

  test('plays a trace as it was, from its recorded events', async () => {
    const page = await openPage()
    await page.goto(`${open.url}/ui/traces/${showcase.planned}`)
    await page.getByText('33 events').waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('slider').fill('3000')
    await page.getByText('Running', { exact: true }).first().waitFor()
    expect(await page.getByText('Retrying').count()).toBe(0)
    await page.getByText('Max').click()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('33 events').waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByText('Failed', { exact: true }).first().waitFor()
  }, 60_000)

  test('says why the events of a trace cannot be read, has nothing to replay then, and reads them when asked', async () => {
    const page = await openPage()
    const logs = '**/traces/*/events?*'
    await page.route(logs, (route) => route.fulfill({ status: 500 }))
    await page.goto(`${open.url}/ui/traces/${showcase.planned}`)
    await page.getByText('answered with status 500', { exact: false }).waitFor()
    await page.getByText('0 of 33 events').waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true)
    await page.unroute(logs)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('33 events', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Replay' }).isEnabled()).toBe(true)
  }, 60_000)

  test('keeps eight tabs live over one stream, through the end of the first tab and a restart of the hub', async () => {
    const streams = countStreams()
    const page = await openPage()
    const tabs = [page]
    for (let at = 1; at < 8; at++) tabs.push(await page.context().newPage())
    const areLive = async () => {
      for (const tab of tabs) {
        // A browser lays out nothing in tabs that nobody sees.
        await tab.bringToFront()
        await tab.getByText('Live', { exact: true }).waitFor()
        expect(await tab.getByText('Not connected').count()).toBe(0)
        const before = await tab.getByText(/^\d+ events$/).textContent()
        await tab
          .getByText(/^\d+ events$/)
          .and(tab.locator(`:not(:text-is("${before}"))`))
          .waitFor()
      }
    }
    for (const tab of tabs) await tab.goto(`${open.url}/ui/traces/${showcase.running}`)
    await areLive()
    expect(streams.open()).toBe(1)
    await tabs.shift()?.close()
    await areLive()
    expect(streams.open()).toBe(1)
    await open.restartHub(async () => {
      for (const tab of tabs) await tab.getByText('Not connected').waitFor()
    })
    await areLive()
    expect(streams.open()).toBe(1)
    streams.stop()
  }, 120_000)

  test('connects anew when somebody comes back after the computer may have slept', async () => {
    const streams = countStreams()
    const page = await openPage()
    await page.clock.install()
    await page.goto(`${open.url}/ui/agents`)
    await page.getByText('Live', { exact: true }).waitFor()
    await showTab(page, 'hidden')
    await page.clock.fastForward(31_000)
    const renewed = streams.oneMore()
    await showTab(page, 'visible')
    await expect(renewed).resolves.toBe(true)
    await expect(streams.become(1)).resolves.toBe(true)
    await page.getByText('Live', { exact: true }).waitFor()
    streams.stop()
  }, 60_000)

  test('keeps the key out of address, storage and scripts, and shows another tenant nothing', async () => {
    const page = await openPage()
    await page.goto(`${keyed.url}/ui/traces?state=running`)
    await page.getByLabel('API key').fill('wrong-key')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The hub does not know this key', { exact: false }).waitFor()
    await signIn(page, KEYS.alice)
    const { traceId } = await createClient({ baseUrl: keyed.url, apiKey: KEYS.alice }).start('deep_research', {
      question: 'secret of acme',
      steps: 1,
      stepMs: 50,
    })
    await page.getByRole('link', { name: new RegExp(traceId) }).waitFor()
    const left = await page.evaluate(() =>
      JSON.stringify([location.href, localStorage, sessionStorage, document.cookie]),
    )
    expect(left).not.toContain(KEYS.alice)
    expect(left).not.toContain('session=')
    const stranger = await openPage()
    await signIn(stranger, KEYS.stranger)
    await stranger.getByText('No traces yet').waitFor()
    await stranger.goto(`${keyed.url}/ui/traces/${traceId}`)
    await stranger.getByText('It does not exist').waitFor()
    await page.getByRole('button', { name: 'Settings and account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
  }, 60_000)

  test.each([
    ['a low window', { width: 1280, height: 360 }],
    ['a phone', { width: 390, height: 360 }],
  ])(
    "shows what was chosen at the end of an agent's lists where it is seen: %s",
    async (_, viewport) => {
      const page = await (await room.openContext({ viewport })).newPage()
      await page.goto(`${open.url}/ui/agents/SyncInsight`)
      await page.getByRole('link', { name: /Weekly report/ }).click()
      const form = page.getByRole('heading', { name: 'Weekly report' })
      await form.waitFor()
      const { y = -1, height = 0 } = (await form.boundingBox()) ?? {}
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + height).toBeLessThanOrEqual(viewport.height)
    },
    60_000,
  )

  test('reads a resource and fills a prompt in after a consent of its own, and runs nothing of their text', async () => {
    const page = await openPage()
    const asked: string[] = []
    page.context().on('request', (request) => void asked.push(request.headers()['mcp-method'] ?? ''))
    await page.goto(`${open.url}/ui/agents/SyncInsight`)
    for (const kind of ['Tools', 'Resources', 'Prompts']) await page.getByRole('region', { name: kind }).waitFor()
    await page.getByRole('link', { name: /How watchers resume/ }).click()
    await page.getByText('nothing is run, and no trace is made', { exact: false }).waitFor()
    expect(asked).not.toContain('resources/read')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByRole('heading', { name: 'Findings' }).waitFor()
    await page.getByRole('link', { name: /Research reports/ }).click()
    await expect(page.getByRole('button', { name: 'Read it' }).isDisabled()).resolves.toBe(true)
    await page.getByLabel('Address (URI)').fill('report://syncinsight/rep-9')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByRole('heading', { name: 'Findings' }).waitFor()
    await page.getByRole('link', { name: /Weekly report/ }).click()
    await page.getByText('Nothing is run and nothing is sent to a model', { exact: false }).waitFor()
    expect(asked).not.toContain('prompts/get')
    await page.getByLabel(/^topic/).fill('queues')
    await page.getByRole('button', { name: 'Show the prompt' }).click()
    await page.getByText('<img src=x onerror', { exact: false }).waitFor()
    expect(await page.title()).not.toBe('hacked')
    expect(asked).toEqual(expect.arrayContaining(['resources/read', 'prompts/get']))
  }, 60_000)

  test('shows the queues to operators, and no way to them to others', async () => {
    const page = await openPage()
    const broken: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') broken.push(message.text())
    })
    page.on('pageerror', (error) => broken.push(String(error)))
    await page.goto(`${open.url}/ui/agents`)
    await page.getByRole('columnheader', { name: 'In queue' }).waitFor()
    await page.getByRole('link', { name: 'Queues' }).click()
    await page.getByText('agent-SyncInsight').first().waitFor()
    await page.getByText('agent-SyncInsight').first().click()
    await page.waitForURL(/\/queues\/board\/queue\/agent-SyncInsight/)
    await page.getByText('callId').first().waitFor()
    expect(broken).toEqual([])
    const other = await openPage()
    await signIn(other, KEYS.alice)
    await other.goto(`${keyed.url}/ui/agents`)
    await other.getByRole('columnheader', { name: 'Health' }).waitFor()
    expect(await other.getByRole('columnheader', { name: 'In queue' }).count()).toBe(0)
    expect(await other.getByRole('link', { name: 'Queues' }).count()).toBe(0)
    expect((await other.goto(`${keyed.url}/queues/board/`))?.status()).toBe(403)
  }, 60_000)

  test('loads less than 250 kB of script first, compressed', async () => {
    const page = await openPage()
    const sizes: Promise<{ readonly responseBodySize: number }>[] = []
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) sizes.push(request.sizes())
    })
    await page.goto(`${open.url}/ui/traces`)
    await page.getByText('Live', { exact: true }).waitFor()
    // All of them, while the page still is there to be asked.
    const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    process.stdout.write(`first load: ${(bytes / 1000).toFixed(0)} kB of compressed script\n`)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
  }, 30_000)
})
