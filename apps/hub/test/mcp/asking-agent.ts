import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { atEnd } from '../cleanup.js'
import { sendFrame, sendResult, toolOf } from '../scripted-agent.js'
import { MODERN } from './mcp-requests.js'

/** A `tools/call` as it reached the agent. */
export interface AskedCall {
  readonly name: string
  readonly arguments: JsonObject
  /** What the hub says that the caller can answer. */
  readonly capabilities: unknown
  readonly inputResponses: JsonObject | undefined
  readonly requestState: unknown
  readonly traceparent: unknown
  /** The header of the one parameter that its tools want there. */
  readonly regionHeader: unknown
}

/** An MCP server of the modern revision that asks for what the test wants. */
export interface AskingAgent {
  readonly url: string
  readonly calls: readonly AskedCall[]
  /** What `tools/call` answers from now on, as a result. */
  behave(answer: (call: AskedCall) => JsonObject): void
}

const INPUT_SCHEMA = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }

/** Serves tools that ask before they answer. */
export async function serveAsking(names: readonly string[]): Promise<AskingAgent> {
  const calls: AskedCall[] = []
  let answer: (call: AskedCall) => JsonObject = () => saying('ok')
  const results = new Map<string, (params: JsonObject, headers: IncomingMessage['headers']) => JsonObject>([
    [
      'server/discover',
      () => ({
        supportedVersions: [MODERN],
        capabilities: { tools: {}, prompts: {}, resources: {} },
        ttlMs: 0,
        cacheScope: 'private',
      }),
    ],
    [
      'tools/list',
      () => ({
        tools: names.map((name) => toolOf(name, { inputSchema: INPUT_SCHEMA })),
        ttlMs: 0,
        cacheScope: 'private',
      }),
    ],
    ['prompts/list', () => ({ prompts: [{ name: 'letter' }], ttlMs: 0, cacheScope: 'private' })],
    ['prompts/get', fillPrompt],
    [
      'resources/list',
      () => ({ resources: [{ uri: 'diary://today', name: 'diary' }], ttlMs: 0, cacheScope: 'private' }),
    ],
    ['resources/templates/list', () => ({ resourceTemplates: [], ttlMs: 0, cacheScope: 'private' })],
    ['resources/read', readDiary],
    [
      'tools/call',
      (params, headers) => {
        const call = {
          name: String(params.name),
          arguments: params.arguments as JsonObject,
          capabilities: (params._meta as JsonObject)[META_KEYS.clientCapabilities],
          inputResponses: params.inputResponses as JsonObject | undefined,
          requestState: params.requestState,
          traceparent: (params._meta as JsonObject).traceparent,
          regionHeader: headers['mcp-param-region'],
        }
        calls.push(call)
        return answer(call)
      },
    ],
  ])
  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: unknown
      method: string
      params: JsonObject
    }
    const result = results.get(method)
    if (result === undefined) return sendFrame(res, { id, error: { code: -32601, message: 'no such method' } }, 404)
    sendResult(res, id, { resultType: 'complete', ...result(params, req.headers) })
  }
  const server = createServer((req, res) => void take(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    behave(next) {
      answer = next
    },
  }
}

/** A result of one text. */
export function saying(text: string): JsonObject {
  return { content: [{ type: 'text', text }] }
}

/** A result that asks for a name, by the names given. */
export function asking(names: readonly string[], requestState?: string): JsonObject {
  const request = {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  }
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(names.map((name) => [name, request])),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** A resource that is shown once it is known who reads. */
function readDiary({ uri, inputResponses, requestState }: JsonObject): JsonObject {
  const who = (inputResponses as JsonObject | undefined)?.who as { readonly content: JsonObject } | undefined
  if (who === undefined) return asking(['who'], 'state of the diary')
  const text = `read by ${String(who.content.name)}, ${String(requestState)}`
  return { contents: [{ uri, text }], ttlMs: 0, cacheScope: 'private' }
}

/** A prompt that is written once it is known who writes. */
function fillPrompt({ inputResponses, requestState }: JsonObject): JsonObject {
  const who = (inputResponses as JsonObject | undefined)?.who as { readonly content: JsonObject } | undefined
  if (who === undefined) return asking(['who'], 'state of the prompt')
  const text = `from ${String(who.content.name)}, ${String(requestState)}`
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
