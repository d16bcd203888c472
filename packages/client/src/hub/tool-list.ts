import { isJsonObject, type ListedTool } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { askRpc } from '../rpc/rpc-request.js'

/** A hub that pages on for ever must not fill this process. */
const MAX_TOOLS = 10_000

/** All tools that the caller may use, over all pages of `tools/list`. */
export async function listTools(connection: HubConnection, signal?: AbortSignal): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = []
  let cursor: string | undefined
  do {
    const page = await askRpc(connection, 'tools/list', cursor === undefined ? {} : { cursor }, signal)
    if (!isToolPage(page))
      throw notOurHub(connection.baseUrl, 'answered tools/list with something that is no page of tools')
    tools.push(...page.tools)
    if (tools.length > MAX_TOOLS) throw notOurHub(connection.baseUrl, `lists more than ${MAX_TOOLS} tools`)
    cursor = page.tools.length === 0 ? undefined : page.nextCursor
  } while (cursor !== undefined)
  return tools
}

interface ToolPage {
  readonly tools: readonly ListedTool[]
  readonly nextCursor?: string
}

function isToolPage(value: unknown): value is ToolPage {
  if (!isJsonObject(value) || !Array.isArray(value.tools)) return false
  return value.nextCursor === undefined || typeof value.nextCursor === 'string'
}
