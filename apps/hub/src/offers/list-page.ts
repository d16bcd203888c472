import { HubError } from '@synchub/protocol'

const PAGE = 100

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/**
 * The page after `cursor`, the first where there is none.
 * @param nameOf - what an item is known by; no two of the list have the same
 * @throws HubError INVALID_PARAMS for a cursor of no page of this list
 */
export function pageOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  cursor: string | undefined,
): ListPage<Item> {
  const start = cursor === undefined ? 0 : items.findIndex((item) => encodeCursor(nameOf(item)) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    const place = { path: 'cursor', expected: 'nextCursor of an earlier page' }
    throw new HubError('INVALID_PARAMS', 'the cursor is not known; list again from the start', place)
  }
  const page = items.slice(start, start + PAGE)
  const last = page.at(-1)
  const more = start + PAGE < items.length && last !== undefined
  return { items: page, ...(more ? { nextCursor: encodeCursor(nameOf(last)) } : {}) }
}

/** What the parameters of a list hold: the cursor, where there is one. */
export function cursorIn({ cursor }: { readonly cursor?: unknown }): string | undefined {
  return typeof cursor === 'string' ? cursor : undefined
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}
