import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import { type BrowserRoom, openBrowserRoom } from './browser-room.js'
import { describeInBrowser } from './chromium.js'

let room: BrowserRoom

// The least that has to hold before a change is shared; all else that a browser shows is tested by `npm run verify`.
describeInBrowser('a call that is made while somebody looks', () => {
  beforeAll(async () => {
    room = await openBrowserRoom()
  }, 60_000)

  afterEach(() => room?.endTest())

  afterAll(() => room?.close())

  test('appears in the list by itself, is watched to its report, and played again', async () => {
    const { url } = await room.openPlace()
    const page = await (await room.openContext()).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${url}/`)
    await page.getByText('Live', { exact: true }).waitFor()
    await createClient({ baseUrl: url }).start('deep_research', { question: 'Why?', steps: 3, stepMs: 200 })
    await page.getByRole('link', { name: /deep_research/ }).click()
    await page.getByRole('button', { name: /deep_research SyncInsight/ }).click()
    await page.getByRole('heading', { name: 'Findings' }).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('slider').waitFor()
    expect(complaints).toEqual([])
  }, 60_000)
})
