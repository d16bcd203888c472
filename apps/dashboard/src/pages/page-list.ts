import type { Page } from './page.js'

const modules = import.meta.glob<{ readonly page: Page }>('./*/page.ts', { eager: true })

/** All pages: whoever adds a folder with a `page.ts` has added one. */
export const PAGES: readonly Page[] = Object.values(modules).map(({ page }) => page)

/** Those in the navigation, in its order. */
export const NAVIGATION: readonly (Page & Required<Pick<Page, 'navigation'>>)[] = PAGES.flatMap((page) =>
  page.navigation === undefined ? [] : [{ ...page, navigation: page.navigation }],
).toSorted((left, right) => left.navigation.order - right.navigation.order)
