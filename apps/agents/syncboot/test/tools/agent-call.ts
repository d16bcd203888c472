import { isJsonObject, type JsonObject } from '@synchub/protocol'

/** Sends `syncboot_generate_schema` to an agent as the hub does. */
export async function callAgent(url: string, args: unknown, meta: JsonObject = {}, secret?: string) {
  const request = {
    jsonrpc: '2.0',
    id: meta.callId ?? 'request-1',
    method: 'tools/call',
    params: { name: 'syncboot_generate_schema', arguments: args, _meta: { traceId: 'trace-1', ...meta } },
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      // A connection that is kept alive would hold up the end of the server.
      Connection: 'close',
      ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify(request),
  })
  const body: unknown = await response.json()
  if (!isJsonObject(body)) throw new Error('the answer is no object')
  return body
}
