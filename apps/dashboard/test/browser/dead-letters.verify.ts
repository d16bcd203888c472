import { expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { type StoryEnding, tellStory } from '../place/story.js'
import { type BrowserRoom, shareRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

let room: BrowserRoom
let place: DashboardPlace

const LOST: StoryEnding = {
  kind: 'unknown',
  code: 'OUTCOME_UNKNOWN',
  reason: 'the connection to Warehouse was lost after 31 s',
}
const NOT_REACHED: StoryEnding = {
  kind: 'failed',
  code: 'AGENT_UNAVAILABLE',
  reason: 'the agent SyncInsight refused the connection five times',
}

/** A call that was given up a minute ago. */
async function giveUp(traceId: string, tool: string, agent: string, ending: StoryEnding): Promise<string> {
  const call = {
    name: 'root',
    tool,
    agent,
    beginsMs: 0,
    endsMs: 900,
    ending,
    arguments: { question: 'again', steps: 1 },
  }
  const ids = await tellStory(place, { traceId, caller: 'Shop', beganMs: Date.now() - 60_000, calls: [call] })
  return ids.get('root') ?? ''
}

async function openPage(path: string, locale = 'en-GB'): Promise<Page> {
  const context = await room.openContext({ locale })
  const page = await context.newPage()
  await page.goto(place.url + path)
  return page
}

/** Goes on with Tab until what has the focus is called so: a person without a mouse. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let at = 0; at < 60; at++) {
    await page.keyboard.press('Tab')
    const { label, text } = await page.evaluate(() => ({
      label: document.activeElement?.getAttribute('aria-label') ?? '',
      text: document.activeElement?.textContent ?? '',
    }))
    if (label === name || text === name) return
  }
  throw new Error(`no key leads to "${name}"`)
}

describeInBrowser('the dead letters', () => {
  shareRoom((opened, at) => {
    room = opened
    place = at
  })

  test('are said to be none before there are any, and a new one comes in by itself', async () => {
    const page = await openPage('/ui/dead-letters')
    await page.getByText('No dead letters').waitFor()
    await giveUp('trace-arrives', 'late_export', 'Warehouse', LOST)
    await page.getByRole('link', { name: 'late_export' }).waitFor()
    await page.getByText('the connection to Warehouse was lost after 31 s').waitFor()
    expect(await page.getByRole('button', { name: 'Resolve late_export' }).count()).toBe(1)
  }, 60_000)

  test('are kept apart by ending, agent and whether somebody resolved them, all of it in the URL', async () => {
    const callId = await giveUp('trace-old', 'old_export', 'Archive', LOST)
    await createClient({ baseUrl: place.url }).resolve(callId, { reason: 'It was there: ticket 12.' })
    await giveUp('trace-unreached', 'deep_research', 'SyncInsight', NOT_REACHED)
    const page = await openPage('/ui/dead-letters')
    await page.getByRole('link', { name: 'late_export' }).waitFor()
    expect(await page.getByRole('link', { name: 'old_export' }).count()).toBe(0)
    await page.getByLabel('Ending').selectOption('failed')
    await page.getByRole('link', { name: 'late_export' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'deep_research' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=failed')
    await page.getByRole('link', { name: 'Resolved' }).click()
    await page.getByText('No dead letter matches').waitFor()
    await page.getByLabel('Ending').selectOption('')
    await page.getByText('It was there: ticket 12.').waitFor()
    expect(new URL(page.url()).search).toBe('?resolved=1')
    expect(await page.getByRole('button', { name: 'Resolve old_export' }).count()).toBe(0)
    await page.reload()
    await page.getByText('It was there: ticket 12.').waitFor()
    expect(await page.getByRole('link', { name: 'late_export' }).count()).toBe(0)
    await page.goto(`${place.url}/ui/dead-letters?agent=SyncInsight`)
    await page.getByRole('link', { name: 'deep_research' }).waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'late_export' }).count()).toBe(0)
  }, 60_000)

  test('are resolved with a reason, by keys alone, and their trace tells who said what', async () => {
    const callId = await giveUp('trace-by-keys', 'send_invoices', 'Billing', LOST)
    const page = await openPage('/ui/dead-letters')
    await page.getByRole('link', { name: 'send_invoices' }).waitFor()
    await tabTo(page, 'Resolve send_invoices')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expect(page.getByRole('button', { name: 'Say so and resolve' }).isDisabled()).resolves.toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    // The field is where the keys go first.
    await page.keyboard.type('All invoices were sent: ticket 88')
    await page.keyboard.press('Control+Enter')
    await page.getByText('send_invoices is resolved.').waitFor()
    await page.getByRole('link', { name: 'send_invoices' }).waitFor({ state: 'detached' })
    const call = await createClient({ baseUrl: place.url }).getCall(callId)
    expect(call).toMatchObject({ state: 'unknown', resolution: { reason: 'All invoices were sent: ticket 88' } })
    await page.goto(`${place.url}/ui/dead-letters?resolved=1`)
    await tabTo(page, 'send_invoices')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByText('All invoices were sent: ticket 88').waitFor()
    await panel.getByText('Nobody knows how it ended').waitFor()
    // It told to look at the agent's side, where somebody had looked.
    await panel.getByText('Go by what became of the call').waitFor()
    expect(await panel.getByText('Look at its side').count()).toBe(0)
  }, 60_000)

  test('show an answer that came too late as late, and as a failure of the tool, in both languages, beside an outcome that stays unknown', async () => {
    const callId = await giveUp('trace-late', 'slow_export', 'Warehouse', LOST)
    const call = await place.store.log.find(callId)
    if (call === null) throw new Error('the call is not there')
    const answer = { result: { rows: 4711 }, content: [], isError: true, executionTimeMs: 31_000 }
    await place.store.log.resolve(call, { by: 'Warehouse', reason: 'the agent answered late', answer })
    for (const [locale, words] of [
      ['en-GB', ['Too late: this came', 'Tool failed', 'Nobody knows how it ended']],
      ['ko-KR', ['늦은 응답: 호출이 이미 포기된 뒤', '도구 실패']],
    ] as const) {
      const page = await openPage(`/ui/traces/trace-late?call=${callId}`, locale)
      const panel = page.getByRole('complementary')
      for (const text of [...words, '4711', 'the agent answered late']) await panel.getByText(text).waitFor()
    }
    expect((await createClient({ baseUrl: place.url }).getCall(callId)).state).toBe('unknown')
  }, 60_000)

  test('say so where a colleague was first', async () => {
    const callId = await giveUp('trace-twice', 'twice_looked_at', 'Warehouse', LOST)
    const page = await openPage('/ui/dead-letters')
    await page.getByRole('button', { name: 'Resolve twice_looked_at' }).click()
    await page.getByLabel('What you found out').fill('it was not written')
    await createClient({ baseUrl: place.url }).resolve(callId, { reason: 'it was written' })
    await page.getByRole('button', { name: 'Say so and resolve' }).click()
    await page.getByText('had resolved twice_looked_at before: it was written').waitFor()
    const { resolution } = await createClient({ baseUrl: place.url }).getCall(callId)
    expect(resolution?.reason).toBe('it was written')
  }, 60_000)

  test('run again after a question, in a trace of their own', async () => {
    const callId = await giveUp('trace-again', 'deep_research', 'SyncInsight', NOT_REACHED)
    const page = await openPage('/ui/dead-letters?state=failed')
    const row = page.getByRole('listitem').filter({ hasText: 'trace-again' })
    await row.getByRole('button', { name: 'Run again: deep_research' }).click()
    await page.getByText('Its agent was never reached, so nothing was done yet.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL(/\/ui\/traces\//)
    const traceId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { calls } = await createClient({ baseUrl: place.url }).trace(traceId)
    expect(calls[0]?.originCallId).toBe(callId)
  }, 60_000)

  test('ask and answer in Korean too', async () => {
    const callId = await giveUp('trace-korean', 'korean_export', 'Warehouse', LOST)
    const page = await openPage('/ui/dead-letters', 'ko-KR')
    await page.getByRole('heading', { name: '배달 불능' }).waitFor()
    await page.getByRole('button', { name: 'korean_export 해결' }).click()
    await page.getByText('korean_export 호출은 어떻게 되었나요?').waitFor()
    await page.getByLabel('확인한 내용').fill('내보내기가 완료되어 있었음')
    await page.getByRole('button', { name: '기록하고 해결' }).click()
    await page.getByText('korean_export 호출을 해결했습니다.').waitFor()
    await page.getByRole('link', { name: '해결됨' }).click()
    await page.getByText('내보내기가 완료되어 있었음').waitFor()
    const { resolution } = await createClient({ baseUrl: place.url }).getCall(callId)
    expect(resolution?.reason).toBe('내보내기가 완료되어 있었음')
  }, 60_000)
})
