import type { HubAnswer, HubConnection } from '@synchub/client'

/** Where a hub serves MCP. */
export const ENDPOINT = '/mcp'
const ACCEPT = 'application/json, text/event-stream'

/**
 * Posts one message to the hub's MCP endpoint.
 * @param body - its JSON text, sent as it is
 * @throws HubError HUB_UNAVAILABLE when no answer came; the signal's reason when it aborted
 */
export function postMessage(
  connection: HubConnection,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<HubAnswer> {
  return connection.send({ method: 'POST', path: ENDPOINT, accept: ACCEPT, headers, body, signal })
}
