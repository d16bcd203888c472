import { expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { type BrowserRoom, shareRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

const ENDLESS = { question: 'endless', steps: 400, stepMs: 200 }

let room: BrowserRoom
let place: DashboardPlace

async function openPage(path: string): Promise<Page> {
  const page = await (await room.openContext()).newPage()
  await page.goto(place.url + path)
  return page
}

async function makeSchemas(callerAgent: string, count: number): Promise<void> {
  const client = createClient({ baseUrl: place.url, callerAgent })
  for (let at = 0; at < count; at++) {
    await client.call('generate_schema', { domainName: 'Order' }, { traceId: `${callerAgent}:${at}` })
  }
}

describeInBrowser('traces and their list', () => {
  shareRoom((opened, at) => {
    room = opened
    place = at
  })

  test('lead to each other: a trace by its whole id, and back to the list as it was narrowed', async () => {
    await makeSchemas('Narrow', 1)
    const page = await openPage('/ui/traces?caller=Narrow&text=Narrow')
    await page.getByRole('link', { name: /Narrow:0/ }).click()
    await page.getByRole('heading', { name: 'generate_schema' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Traces' }).click()
    await page.getByRole('link', { name: /Narrow:0/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?caller=Narrow&text=Narrow')
  }, 60_000)

  test('say of an address what it names that is not there', async () => {
    await makeSchemas('Linked', 1)
    const page = await openPage('/ui/traces/Linked:0?call=gone')
    await page.getByText('The call that this link names is not in this trace').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('The call that this link names').waitFor({ state: 'detached' })
    await page.goto(`${place.url}/ui/traces/Linked:0?event=99`)
    await page.getByText('The event that this link names is not in this trace').waitFor()
    await page.goto(`${place.url}/ui/traces/Linked:0?event=1`)
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    expect(await page.getByText('that this link names').count()).toBe(0)
    await page.goto(`${place.url}/ui/traces/a%25b`)
    await page.getByText('It does not exist').waitFor()
  }, 60_000)

  test('are selected as a range, and each is run again in a trace of its own', async () => {
    await makeSchemas('Repeated', 5)
    const page = await openPage('/ui/traces?caller=Repeated')
    await page.getByLabel('Select Repeated:3').check()
    await page.getByLabel('Select Repeated:1').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Run 3 again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run 3 again' }).click()
    await page.getByText('3 started again').waitFor()
    const client = createClient({ baseUrl: place.url })
    const origins = await Promise.all(
      [1, 2, 3].map(async (at) => (await client.trace(`Repeated:${at}`)).calls[0]?.callId),
    )
    const { items } = await client.traces({ tool: 'generate_schema', limit: 3 })
    const copies = await Promise.all(items.map(async ({ traceId }) => (await client.trace(traceId)).calls[0]))
    expect(new Set(copies.map((call) => call?.originCallId))).toEqual(new Set(origins))
  }, 60_000)

  test('are cancelled on a phone', async () => {
    const client = createClient({ baseUrl: place.url })
    const { traceId } = await client.start('deep_research', ENDLESS)
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await (await room.openContext(phone)).newPage()
    await page.goto(`${place.url}/ui/traces`)
    await page.getByRole('link', { name: 'deep_research' }).tap()
    await page.getByRole('button', { name: 'Cancel' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the trace' }).tap()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    expect((await client.trace(traceId)).state).toBe('cancelled')
  }, 60_000)
})
