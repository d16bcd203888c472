import { expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import type { Page } from 'playwright-core'
import type { DashboardPlace } from '../place/dashboard-place.js'
import { findWithAxe } from './axe-findings.js'
import { type BrowserRoom, shareRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

let room: BrowserRoom
let place: DashboardPlace

async function openForm(locale = 'en-GB'): Promise<Page> {
  const context = await room.openContext({ locale })
  const page = await context.newPage()
  await page.goto(`${place.url}/ui/agents/SyncBoot?tool=generate_schema`)
  return page
}

describeInBrowser('the form of a tool', () => {
  shareRoom((opened, at) => {
    room = opened
    place = at
  })

  test('takes lists, boxes, and as JSON what the schema leaves open', async () => {
    const page = await openForm()
    await page.getByLabel('Domain').fill('Order')
    const add = page.getByRole('button', { name: 'Add' })
    await add.click()
    await page.getByLabel('Name').fill('total')
    await add.click()
    await page.getByLabel('Name').last().fill('number')
    await page.getByLabel('Nullable').last().uncheck()
    await page.getByRole('button', { name: 'Move up' }).last().click()
    await page.getByLabel('Auditing').check()
    await page.getByLabel('Storage').fill('{"engine": "innodb", "sizes": [1, 2]}')
    await page.getByLabel('note').fill('ticket 91')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.waitForURL(/\/ui\/traces\/.+call=/)
    const { pathname, searchParams } = new URL(page.url())
    const ids = { traceId: pathname.split('/').at(-1) ?? '', callId: searchParams.get('call') ?? '' }
    const result = await createClient({ baseUrl: place.url }).wait(ids)
    expect(result.structuredContent).toEqual({
      design: {
        fields: [
          { name: 'number', type: 'bigint', nullable: false },
          { name: 'total', type: 'bigint', nullable: true },
        ],
        enableAuditing: true,
        storage: { engine: 'innodb', sizes: [1, 2] },
        note: 'ticket 91',
      },
    })
  }, 60_000)

  test('sends nothing that does not fit, says so in Korean, and leads to the first mistake', async () => {
    const page = await openForm('ko-KR')
    await page.getByRole('button', { name: '추가' }).click()
    await page.getByLabel('Storage').fill('{"engine": "inno')
    await page.getByRole('button', { name: '호출', exact: true }).click()
    const complaints = page.locator('.error-detail li')
    await complaints.first().waitFor()
    expect(await complaints.allTextContents()).toEqual([
      '꼭 필요한 값입니다.',
      '꼭 필요한 값입니다.',
      '입력할 수 있는 값: JSON 객체(예: {"name": "value"}).',
    ])
    await page.getByText('1번째 줄, 17번째 글자').waitFor()
    expect(await page.getByLabel('Domain').evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.getByRole('button', { name: '삭제' }).count()).toBe(1)
    expect(await findWithAxe(page)).toEqual([])
    expect(page.url()).toContain('/ui/agents/')
  }, 60_000)
})
