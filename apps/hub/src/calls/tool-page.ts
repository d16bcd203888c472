import { HubError, type ListedTool } from '@synchub/protocol'

const PAGE = 100

/** A page of a list of tools, as `tools/list` has it. */
export interface ToolPage {
  readonly tools: readonly ListedTool[]
  readonly nextCursor?: string
}

/** The page after `cursor`, the first where there is none. @throws HubError INVALID_PARAMS for a cursor of no page of this list */
export function pageOfTools(tools: readonly ListedTool[], cursor: string | undefined): ToolPage {
  const start = cursor === undefined ? 0 : tools.findIndex(({ name }) => encodeCursor(name) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    const place = { path: 'cursor', expected: 'nextCursor of an earlier page' }
    throw new HubError('INVALID_PARAMS', 'the cursor is not known; list again from the start', place)
  }
  const page = tools.slice(start, start + PAGE)
  const last = page.at(-1)
  const more = start + PAGE < tools.length && last !== undefined
  return { tools: page, ...(more ? { nextCursor: encodeCursor(last.name) } : {}) }
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}
