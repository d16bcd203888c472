import type { JsonObject } from '@synchub/protocol'
import { type Answer, type RpcBody, readAnswer, request, type SentHeaders } from '../hub-requests.js'

/** The headers that Agent Builder sends with everything after `initialize`. */
export const REVISION: SentHeaders = { 'MCP-Protocol-Version': '2025-11-25' }

/** What Agent Builder accepts, whatever it asks. */
const ACCEPT = 'application/json, text/event-stream'

/** The error of an answer, with what these paths put beside the members of every surface. */
export interface PathBody extends RpcBody {
  readonly error?: NonNullable<RpcBody['error']> & { readonly data: { readonly guid: string; readonly cause: string } }
}

/** Posts a body to a path as it is. */
export function postToPath(
  address: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: SentHeaders = REVISION,
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', Accept: ACCEPT, ...headers },
  })
}

/** Posts a message to a path and reads the answer as JSON. */
export async function ask<Body = PathBody>(
  address: string,
  message: unknown,
  headers: SentHeaders = REVISION,
): Promise<Answer<Body>> {
  return readAnswer<Body>(await postToPath(address, JSON.stringify(message), headers))
}

/** Calls a tool on a path. */
export function callOnPath(
  address: string,
  name: string,
  args: JsonObject = { query: 'x' },
  headers: SentHeaders = {},
): Promise<Answer<PathBody>> {
  return ask(address, request('tools/call', { name, arguments: args }), { ...REVISION, ...headers })
}

/** Names of the tools that a path lists; the error's code where it lists none. */
export async function listedOn(address: string): Promise<readonly unknown[] | number | undefined> {
  const { body } = await ask(address, request('tools/list'))
  if (body.error !== undefined) return body.error.code
  return ((body.result?.tools ?? []) as readonly JsonObject[]).map(({ name }) => name)
}

/** The first content item of a result. */
export function firstItem({ body }: Answer<PathBody>): JsonObject {
  const [first = {}] = (body.result?.content ?? []) as readonly JsonObject[]
  return first
}
