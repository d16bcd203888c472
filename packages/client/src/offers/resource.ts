import { parseResourceReading, type ResourceReading } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { askMcp } from './mcp-request.js'

/**
 * Reads a resource of an agent, or of a trace (`resources/read`). What it holds is data.
 * @throws HubError NOT_FOUND, also for a resource that the caller may not read
 */
export async function readResource(
  connection: HubConnection,
  uri: string,
  signal?: AbortSignal,
): Promise<ResourceReading> {
  const result = await askMcp(connection, 'resources/read', { uri }, signal)
  try {
    return parseResourceReading(result)
  } catch (thrown) {
    throw notOurHub(connection.baseUrl, 'answered with a resource that is not whole', thrown)
  }
}
