import { compileOwnSchema, type StopSignal } from '@synchub/core'
import {
  type CacheScope,
  type Era,
  HubError,
  type InputRequests,
  type JsonObject,
  type McpHeaders,
  type RequestId,
} from '@synchub/protocol'
import type { ClientSession } from '@synchub/redis'
import type { CallSender } from '../calls/decode-tool-call.js'
import type { CallTask } from './tasks/call-task.js'

/**
 * How `/mcp` is built. `endpoint.ts` reads a request, tells its era and holds it to the rules of that era; `method-table.ts` names
 * the methods of each era; a method, one file each in `methods/`, takes checked parameters and an {@link McpCall} and returns a
 * neutral {@link McpOutcome} or throws an error of `@synchub/protocol` (HubError, RevisionError, ResourceMissing, NameUnknown);
 * `era-encoder.ts` alone makes a message of a revision out of it. No method knows a code or an HTTP status.
 */
export interface McpMethod {
  readonly name: string
  readonly eras: readonly Era[]
  /** Cache hints of its complete results in the modern era; absent for methods that have none. */
  readonly cache?: { readonly scope: CacheScope; readonly ttlMs: number }
  /** Where its failures point to (RFC 9457 `instance`). */
  instance(params: JsonObject): string
  /** @throws HubError, RevisionError, ResourceMissing, NameUnknown */
  handle(params: JsonObject, call: McpCall): Promise<McpOutcome> | McpOutcome
}

/** One request on `/mcp`, beside its parameters. */
export interface McpCall extends CallSender {
  readonly era: Era
  readonly id: RequestId
  readonly headers: McpHeaders
  /** The session that the request stands in; only the legacy era has some. */
  readonly session: (ClientSession & { readonly id: string }) | undefined
  /** What the client declares that it can do. */
  readonly clientCapabilities: JsonObject
  /** Aborts when the client is gone: nobody waits any more, but what was begun goes on. */
  readonly gone: StopSignal
  /** Aborts when the request is cancelled: what it began is to end. In the modern era going away cancels too. */
  readonly cancelled: StopSignal
  /** What the client is told before the answer. */
  readonly notices: McpNotices
  /** Sets a header of the answer, while there is none yet. */
  setHeader(name: string, value: string): void
}

/** Notifications that belong to one request and come before its answer. */
export interface McpNotices {
  /** Whether the client reads streams; where it does not, nothing is told. */
  readonly areRead: boolean
  /** Begins the stream now, so that nobody on the way takes a silent connection for a dead one. */
  begin(): void
  /** Sends one. False when so much waits that more should come only after {@link onDrain}. */
  send(method: string, params: JsonObject): boolean
  onDrain(resume: () => void): void
  /** Asks the client something, which only the legacy era knows; the answer is posted for itself. */
  ask(id: string, method: string, params: object): void
}

/** What became of a request, in no era's form. */
export type McpOutcome =
  /** The members of the result; `_meta` too where there is some. */
  | { readonly kind: 'complete'; readonly result: JsonObject }
  /** The call goes on as a task, which can be read already. */
  | { readonly kind: 'task-made'; readonly task: CallTask; readonly replayed: boolean }
  /** The agent asks something first; the client sends the request again with the answers and this state. */
  | {
      readonly kind: 'input'
      readonly inputRequests: InputRequests
      readonly requestState: string
      readonly meta: JsonObject
    }
  /** A task as it stands, with what came of it. */
  | { readonly kind: 'task'; readonly task: CallTask }

/** Both eras. */
export const EVERY_ERA: readonly Era[] = ['legacy', 'modern']

/** A method whose parameters are checked against a schema before it is entered. */
export function mcpMethod(
  method: Omit<McpMethod, 'instance'> & {
    /** JSON Schema; unknown members are allowed as MCP wants it. */
    readonly params: JsonObject
    readonly instance?: McpMethod['instance']
  },
): McpMethod {
  const { params: schema, instance = () => `/mcp/${method.name}`, handle, ...rest } = method
  const check = compileOwnSchema(schema)
  return {
    ...rest,
    instance,
    handle(params, call) {
      const violation = check(params)
      if (violation === undefined) return handle(params, call)
      const { path, expected, reason } = violation
      throw new HubError('INVALID_PARAMS', reason, { path, expected })
    },
  }
}
