import { type JsonObject, readSse } from '@synchub/protocol'

/** A `tools/call` of the deep research as the hub sends it. */
export function researchCall(args: JsonObject, callId: string): string {
  const params = { name: 'syncinsight_deep_research', arguments: args, _meta: { callId, traceId: 'trace-1' } }
  return rpc('tools/call', params, callId)
}

/** A JSON-RPC request. */
export function rpc(method: string, params: JsonObject, id = '1'): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Sends a request and reads the answer as JSON. */
export async function ask(url: string, body: string, headers: Record<string, string> = {}): Promise<JsonObject> {
  const response = await send(url, body, { accept: 'application/json', ...headers })
  return (await response.json()) as JsonObject
}

/** An event with its decoded data. */
export interface ReadEvent {
  readonly event: string
  readonly data: JsonObject
}

/** Sends a call and yields its events as they come. */
export async function* stream(url: string, body: string, signal?: AbortSignal): AsyncGenerator<ReadEvent> {
  const response = await send(url, body, { accept: 'text/event-stream' }, signal)
  for await (const item of readSse(response.body ?? new ReadableStream(), 16_777_216)) {
    if (item.kind === 'event') yield { event: item.event, data: JSON.parse(item.data) }
  }
}

async function send(
  url: string,
  body: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal === undefined ? {} : { signal }),
  })
}
