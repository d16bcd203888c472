import type { CallView, JsonObject, JsonRpcErrorObject } from '@synchub/protocol'

/** A JSON-RPC response as it came. */
export interface RpcBody {
  readonly jsonrpc: string
  readonly id: unknown
  readonly result?: JsonObject
  readonly error?: JsonRpcErrorObject
}

/** An answer over HTTP, its body decoded. */
export interface Answer<Body = RpcBody> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Headers of a request; undefined leaves one of ours away. */
export type SentHeaders = Readonly<Record<string, string>>

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** Posts a body to `/rpc` as it is. */
export function postText(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: SentHeaders = {},
): Promise<Response> {
  return fetch(`${url}/rpc`, { method: 'POST', body, headers: { ...JSON_HEADERS, ...headers } })
}

/** Posts a value to `/rpc` and reads the answer as JSON. */
export async function postRpc<Body = RpcBody>(
  url: string,
  frame: unknown,
  headers: SentHeaders = {},
): Promise<Answer<Body>> {
  return readAnswer<Body>(await postText(url, JSON.stringify(frame), headers))
}

/** `_meta` of a call's answer. */
export function metaOf({ body }: Answer): JsonObject {
  return (body.result?._meta ?? {}) as JsonObject
}

/** A request frame. */
export function request(method: string, params: JsonObject = {}, id: unknown = 'request-1'): JsonObject {
  return { jsonrpc: '2.0', id, method, params }
}

/** A `tools/call` frame. */
export function callFrame(name: string, args: JsonObject = {}, meta: JsonObject = {}): JsonObject {
  return request('tools/call', { name, arguments: args, _meta: meta })
}

/** Calls a tool and reads the answer as JSON. */
export function callTool(
  url: string,
  name: string,
  args: JsonObject = {},
  meta: JsonObject = {},
  headers: SentHeaders = {},
): Promise<Answer> {
  return postRpc(url, callFrame(name, args, meta), headers)
}

/** Starts a long call and answers its callId. */
export async function startCall(
  url: string,
  name: string,
  args: JsonObject = {},
  meta: JsonObject = {},
  headers: SentHeaders = {},
): Promise<string> {
  const answer = await callTool(url, name, args, meta, { Prefer: 'respond-async', ...headers })
  const callId = answer.headers.get('SyncHub-Call-Id')
  if (answer.status !== 202 || callId === null) throw new Error(`not started: ${JSON.stringify(answer.body)}`)
  return callId
}

/** Reads something of the operations API. */
export async function getJson<Body = RpcBody>(
  url: string,
  path: string,
  headers: SentHeaders = {},
): Promise<Answer<Body>> {
  return readAnswer<Body>(await fetch(`${url}${path}`, { headers }))
}

/** Posts to the operations API. */
export async function postJson<Body = RpcBody>(
  url: string,
  path: string,
  body: unknown = {},
  headers: SentHeaders = {},
): Promise<Answer<Body>> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { ...JSON_HEADERS, ...headers } }
  return readAnswer<Body>(await fetch(`${url}${path}`, init))
}

/** Reads a call as its owner sees it. */
export async function getCall(url: string, callId: string, headers: SentHeaders = {}): Promise<CallView> {
  return (await getJson<CallView>(url, `/calls/${callId}`, headers)).body
}

/** Reads a response whose body is JSON. */
export async function readAnswer<Body = RpcBody>(response: Response): Promise<Answer<Body>> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}
