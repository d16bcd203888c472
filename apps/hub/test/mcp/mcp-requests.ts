import type { JsonObject } from '@synchub/protocol'
import { META_KEYS } from '@synchub/protocol'
import type { Answer, SentHeaders } from '../hub-requests.js'

/** The revision of the modern era that the hub speaks. */
export const MODERN = '2026-07-28'

/** A response of MCP as it came. */
export interface McpBody {
  readonly jsonrpc: string
  readonly id?: unknown
  readonly result?: JsonObject & { readonly _meta?: JsonObject; readonly content?: readonly JsonObject[] }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject }
}

const BOTH_FORMS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** What every modern request carries; `more` adds to its metadata. */
export function modernMeta(more: JsonObject = {}): JsonObject {
  return {
    [META_KEYS.protocolVersion]: MODERN,
    [META_KEYS.clientCapabilities]: {},
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
    ...more,
  }
}

/** A modern request with its headers. */
export function modernRequest(
  method: string,
  params: JsonObject = {},
  meta: JsonObject = {},
  id: unknown = 1,
): { readonly frame: JsonObject; readonly headers: SentHeaders } {
  const name = params.name ?? params.uri ?? params.taskId
  return {
    frame: { jsonrpc: '2.0', id, method, params: { ...params, _meta: modernMeta(meta) } },
    headers: {
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
  }
}

/** Posts a body to `/mcp` as it is; a header that is undefined is left away. */
export function postMcpText(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | undefined>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const sent = Object.entries({ ...BOTH_FORMS, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return fetch(`${url}/mcp`, { method: 'POST', body, headers: sent, ...(signal === undefined ? {} : { signal }) })
}

/** Posts a message and reads the answer; `{}` where there is no body. */
export async function postMcp(
  url: string,
  frame: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer<McpBody>> {
  const response = await postMcpText(url, JSON.stringify(frame), headers)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as McpBody }
}

/** Sends a modern request and reads its JSON answer. */
export function askModern(
  url: string,
  method: string,
  params: JsonObject = {},
  meta: JsonObject = {},
  headers: SentHeaders = {},
): Promise<Answer<McpBody>> {
  const request = modernRequest(method, params, meta)
  return postMcp(url, request.frame, { ...request.headers, ...headers })
}

/** Sends a legacy request and reads its JSON answer. */
export function askLegacy(
  url: string,
  method: string,
  params: JsonObject = {},
  headers: SentHeaders = {},
): Promise<Answer<McpBody>> {
  const frame = { jsonrpc: '2.0', id: 1, method, params }
  return postMcp(url, frame, { 'MCP-Protocol-Version': '2025-11-25', ...headers })
}

/** Opens a session of the legacy era; answers its id. */
export async function openSession(
  url: string,
  capabilities: JsonObject = {},
  headers: SentHeaders = {},
): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } }
  const answer = await askLegacy(url, 'initialize', params, headers)
  const id = answer.headers.get('mcp-session-id')
  if (id === null) throw new Error(`no session: ${JSON.stringify(answer.body)}`)
  return id
}

/** An answer that comes as a stream: messages in order, whole once `over` has settled. */
export interface McpStream {
  readonly status: number
  readonly messages: readonly JsonObject[]
  readonly over: Promise<void>
  /** The client goes away. */
  leave(): void
}

/** Posts a request and reads its stream of messages. */
export async function streamMcp(url: string, frame: unknown, headers: SentHeaders = {}): Promise<McpStream> {
  const controller = new AbortController()
  return readStream(await postMcpText(url, JSON.stringify(frame), headers, controller.signal), controller)
}

/** Opens the stream of a legacy session. */
export async function openSessionStream(url: string, headers: SentHeaders): Promise<McpStream> {
  const controller = new AbortController()
  const sent = { Accept: 'text/event-stream', 'MCP-Protocol-Version': '2025-11-25', ...headers }
  return readStream(await fetch(`${url}/mcp`, { headers: sent, signal: controller.signal }), controller)
}

async function readStream(response: Response, controller: AbortController): Promise<McpStream> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    throw new Error(`no stream: ${response.status} ${await response.text()}`)
  }
  const messages: JsonObject[] = []
  return { status: response.status, messages, over: collect(response, messages), leave: () => controller.abort() }
}

async function collect(response: Response, messages: JsonObject[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const data = text
          .slice(0, end)
          .split('\n')
          .filter((line) => line.startsWith('data: '))
          .map((line) => line.slice('data: '.length))
        text = text.slice(end + 2)
        if (data.length > 0) messages.push(JSON.parse(data.join('\n')) as JsonObject)
      }
    }
  } catch (thrown) {
    // The test left; every other end is one.
    if ((thrown as { readonly name?: unknown }).name !== 'AbortError') throw thrown
  }
}
