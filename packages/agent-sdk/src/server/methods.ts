import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  declaredInputs,
  type Frame,
  HubError,
  isJsonObject,
  type JsonObject,
  NameUnknown,
  type RequestId,
  ResourceMissing,
} from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { toolInstance } from '../answers/answer.js'
import type { StateSeal } from '../inputs/seal.js'
import type { AgentLogger } from '../logging/logger.js'
import { answerMethod, boundResult } from '../mcp/methods.js'
import { parseToolCall } from '../runs/call.js'
import type { Runs } from '../runs/runs.js'
import { JsonCallReply, StreamedCallReply } from './call-reply.js'
import { parseSingleFrame } from './frame.js'
import { parseAccept } from './media-type.js'
import { replyAccepted, replyError, replyResult } from './reply.js'

/** What the JSON-RPC methods work on. */
export interface MethodParts {
  readonly agent: Agent
  readonly runs: Runs
  readonly seal: StateSeal
  readonly logger: AgentLogger
  readonly heartbeatIntervalMs: number
  /** Largest result that is sent, in bytes of JSON. */
  readonly maxAnswerBytes: number
}

/** What an agent offers beside its tools is asked for as MCP asks for it. */
const OFFER_METHODS: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/** Answers the JSON-RPC request that `text` holds. */
export async function answerRpc(
  parts: MethodParts,
  text: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const frame = parseSingleFrame(text)
  switch (frame.kind) {
    case 'invalid':
      return replyError(response, frame.id, frame.error, '/')
    case 'notification':
      if (frame.method === 'notifications/cancelled') cancel(parts.runs, frame.params)
      return replyAccepted(response)
    case 'request':
      return answerRequest(parts, frame, request, response)
  }
}

async function answerRequest(
  parts: MethodParts,
  { id, method, params }: Frame & { kind: 'request' },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (method) {
    case 'tools/list':
      return replyResult(response, id, { tools: [...parts.agent.tools.values()].map(({ listing }) => listing) })
    case 'ping':
      return replyResult(response, id, {})
    case 'tools/call':
      return answerCall(parts, { id, params }, request, response)
    default:
      if (OFFER_METHODS.has(method)) return answerOffer(parts, { id, method, params }, response)
      return replyError(response, id, new HubError('METHOD_NOT_FOUND', `the method ${method} does not exist`), '/')
  }
}

async function answerOffer(
  { agent, logger, maxAnswerBytes }: MethodParts,
  { id, method, params }: { readonly id: RequestId; readonly method: string; readonly params: JsonObject },
  response: ServerResponse,
): Promise<void> {
  const reader = new AbortController()
  response.once('close', () => reader.abort())
  try {
    const ctx = { signal: reader.signal, logger }
    const result = await answerMethod(method, { agent, era: 'legacy', params, ctx })
    replyResult(response, id, boundResult(result, maxAnswerBytes))
  } catch (thrown) {
    const error = failureOf(thrown)
    if (error.code === 'INTERNAL_ERROR') logger.error({ err: thrown, method }, 'a request failed unexpectedly')
    replyError(response, id, error, `/${method}`)
  }
}

/** Refusals that MCP has codes of its own for. */
function failureOf(thrown: unknown): HubError {
  if (thrown instanceof ResourceMissing) return new HubError('NOT_FOUND', thrown.message)
  return thrown instanceof NameUnknown ? thrown.failure : HubError.from(thrown)
}

async function answerCall(
  { agent, runs, seal, logger, heartbeatIntervalMs }: MethodParts,
  { id, params }: { readonly id: RequestId; readonly params: JsonObject },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const instance = typeof params.name === 'string' ? toolInstance(params.name) : '/tools/call'
  try {
    const accepted = parseAccept(request.headers.accept)
    if (!accepted.json && !accepted.stream)
      throw new HubError('NOT_ACCEPTABLE', 'the answer is JSON or an event stream')
    const call = parseToolCall(params, {
      seal,
      inputCapabilities: readCapabilities(params),
    })
    const tool = agent.tools.get(call.tool)
    if (tool === undefined) throw new HubError('METHOD_NOT_FOUND', `agent ${agent.name} has no tool ${call.tool}`)
    tool.checkArguments(call.arguments)
    const replyParts = { response, id, call }
    const isStreamed = accepted.stream && (tool.streams || !accepted.json)
    const reply = isStreamed ? new StreamedCallReply(replyParts, heartbeatIntervalMs) : new JsonCallReply(replyParts)
    const detach = await runs.attach(tool, call, reply)
    if (reply.isGone) detach()
    else response.once('close', detach)
  } catch (thrown) {
    if (!(thrown instanceof HubError)) logger.error({ err: thrown }, 'a call failed unexpectedly')
    replyError(response, id, HubError.from(thrown), instance)
  }
}

/** What the hub says that the caller can be asked. */
function readCapabilities({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) && isJsonObject(meta.inputCapabilities) ? declaredInputs(meta.inputCapabilities) : {}
}

/** The hub sends the callId as request id; what is not running here is nothing to cancel. */
function cancel(runs: Runs, { requestId, reason }: JsonObject): void {
  if (typeof requestId !== 'string') return
  runs.cancel(requestId, typeof reason === 'string' && reason !== '' ? reason : 'the caller cancelled the call')
}
