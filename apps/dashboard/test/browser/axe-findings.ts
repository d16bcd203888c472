import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Success criteria of WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds wrong on a page as it stands: the rule, and the first part that breaks it. */
export async function findWithAxe(page: Page): Promise<readonly string[]> {
  // The pages' own policy lets no script in that is not the hub's; what a debugger evaluates is none of theirs.
  await page.evaluate(axe.source)
  return page.evaluate(async (tags) => {
    const { axe: loaded } = globalThis as typeof globalThis & {
      axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await loaded.run({ runOnly: { type: 'tag', values: tags } })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, TAGS)
}
