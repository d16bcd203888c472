import type { Page } from '@synchub/protocol'
import type { ExitName } from '../outcome/exit-code.js'
import { jsonLine } from '../terminal/clean-text.js'
import type { CommandContext } from './command.js'

/** Most items that are asked for at a time. */
const PAGE_SIZE = 100

interface ListOptions<Item> {
  readonly command: string
  /** The flags of the command by which it goes on with the same items. */
  goOn(cursor: string): readonly string[]
  readonly limit: number
  readonly cursor?: string | undefined
  readonly json?: boolean | undefined
  /** Told where there is nothing to list. */
  readonly none: string
  page(part: { readonly cursor: string | undefined; readonly limit: number }): Promise<Page<Item>>
  /** Lines for people of at least one item. */
  table(items: readonly Item[]): readonly string[]
}

/** Prints at most `limit` items, page by page, so that a long list begins at once and none is held whole. */
export async function listPages<Item>(context: CommandContext, options: ListOptions<Item>): Promise<ExitName> {
  const { out, err } = context
  const { command, goOn, limit, json = false, none, page, table } = options
  let { cursor } = options
  let left = limit
  do {
    const { items, nextCursor } = await page({ cursor, limit: Math.min(left, PAGE_SIZE) })
    if (json) for (const item of items) out.line(jsonLine(item))
    else if (items.length > 0) for (const line of table(items)) out.line(line)
    left -= items.length
    cursor = nextCursor
  } while (cursor !== undefined && left > 0)
  if (left === limit && !json) err.line(none)
  if (cursor !== undefined) err.line(`more: ${context.commandLine(command, ...goOn(cursor))}`)
  return 'ok'
}
