import type { Page } from 'playwright-core'

/** A tab says that somebody looks at it, or at something else: without a window a browser takes all its tabs for seen. */
export async function showTab(page: Page, visibility: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visibility)
}
