import type {
  AgentView,
  CallResult,
  CallView,
  DeadLetterView,
  FilledPrompt,
  ListedTool,
  Page,
  Prompt,
  QueueView,
  ResourceReading,
  TraceView,
} from '@synchub/protocol'
import { callTool } from './call/call.js'
import type { CallIdentity, CallIds, CallOptions } from './call/call-options.js'
import { findCall, getCall } from './call/call-record.js'
import { type Cancellation, cancelCall } from './call/cancel.js'
import { type RerunOptions, rerunCall } from './call/rerun.js'
import { type ResolvedCall, resolveCall } from './call/resolve.js'
import { type StartedCall, startCall } from './call/start.js'
import { type WaitOptions, waitForCall } from './call/wait.js'
import { type ConnectionOptions, HubConnection } from './connection/hub-connection.js'
import { type DeadLetterFilter, listDeadLetters } from './dead-letters/dead-letter-list.js'
import { listAgents } from './hub/agent-list.js'
import { listQueues } from './hub/queue-list.js'
import { type Readiness, readReadiness } from './hub/readiness.js'
import { readSession, type Session, signIn, signOut } from './hub/session.js'
import { listTools } from './hub/tool-list.js'
import { getPrompt, listPrompts } from './offers/prompts.js'
import { readResource } from './offers/resource.js'
import { type EventPagesOptions, readLog } from './replay/event-pages.js'
import { type ReplayOptions, replayTrace } from './replay/replay.js'
import { askRpc } from './rpc/rpc-request.js'
import { getTrace, listTraces, type TraceFilter, type TracePage } from './traces/trace-list.js'
import { type ChangeItem, listenToChanges } from './watch/changes.js'
import type { TraceEventItem } from './watch/event-item.js'
import { type JoinedItem, type JoinedTrace, type JoinedWatchOptions, watchJoined } from './watch/joined-watch.js'
import type { ReconnectOptions } from './watch/reconnects.js'
import { type WatchItem, type WatchOptions, watchTrace } from './watch/watch.js'

/** Options of {@link createClient}. */
export interface ClientOptions extends ConnectionOptions {
  /** Name of the agent that calls, sent with each call; where the hub knows callers by key it must be that key's agent. */
  readonly callerAgent?: string | undefined
}

/** Ends one request early. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * A hub, as callers, dashboards and operators use it. Every method rejects with a HubError that names what went wrong and what
 * to do now; only `call`, `start`, `rerun`, `wait`, `changes`, `replay` and the watches ask again by themselves.
 */
export interface Client {
  /** Address of the hub, without a slash at its end. */
  readonly baseUrl: string
  /**
   * Calls a tool and resolves with its result, also with one that says `isError`. Survives cut streams, hub restarts and
   * outages, and the work is never done twice.
   * @throws HubError what the call ended with; DEADLINE_EXCEEDED when the call goes on after `timeoutMs`; HUB_UNAVAILABLE
   * after too long an outage. The signal's reason when it aborted.
   * @example
   * const { structuredContent } = await client.call('syncinsight_deep_research', { question: 'Why Redis?', sources: ['docs'] }, {
   *   timeoutMs: 600_000,
   *   onProgress: ({ progress, total, message }) => show(progress, total, message),
   * })
   */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResult>
  /**
   * Starts a call and resolves once the hub has recorded it.
   * @example
   * const { traceId } = await client.start('syncinsight_deep_research', { question: 'Why Redis?', sources: ['docs'] })
   * for await (const item of client.watch(traceId)) show(item)
   */
  start(tool: string, args: unknown, options?: CallIdentity): Promise<StartedCall>
  /**
   * Runs a call again: the same tool of the same agent with the same arguments, as this caller, in a new trace.
   * @throws HubError NOT_FOUND for a call that this caller may not see, and all that `start` throws
   */
  rerun(callId: string, options?: RerunOptions): Promise<StartedCall>
  /**
   * Waits for the outcome of a call that the hub has, as `call` does; the call is never sent again.
   * @example
   * const { structuredContent } = await client.wait(await client.rerun(callId))
   */
  wait(call: CallIds, options?: WaitOptions): Promise<CallResult>
  /** The record of a call. @throws HubError NOT_FOUND */
  getCall(callId: string, options?: RequestOptions): Promise<CallView>
  /** The record of the call that was sent with a key, after an answer was lost; null where the hub has none. */
  findCall(by: { readonly idempotencyKey: string }, options?: RequestOptions): Promise<CallView | null>
  /** Asks for a cancel; resolves with the state that the call has then. @throws HubError NOT_FOUND */
  cancel(callId: string, options?: RequestOptions & { readonly reason?: string | undefined }): Promise<Cancellation>
  /**
   * Watches a trace: every event once and in order, through reconnects and hub restarts, until the trace has ended or the
   * signal aborts. Leaving the loop closes the connection. A `reset` item tells that events are gone and how the trace stood.
   * @throws HubError at once for what another try cannot change (401, 403, 404, 406)
   * @example
   * for await (const item of client.watch(traceId, { events: ['progress', 'complete'] })) {
   *   if (item.kind === 'event' && item.event === 'progress') show(item.data.progress)
   * }
   */
  watch(traceId: string, options?: WatchOptions): AsyncIterableIterator<WatchItem>
  /**
   * Watches up to 50 traces over one connection. Never ends by itself.
   * @throws HubError at once for what another try cannot change
   */
  watchJoined(traces: readonly JoinedTrace[], options?: JoinedWatchOptions): AsyncIterableIterator<JoinedItem>
  /**
   * Listens to which traces change, without what happened in them. After `open` and `lost`, list the traces that changed
   * meanwhile: `traces({ since })`. Never ends by itself.
   */
  changes(options?: ReconnectOptions): AsyncIterableIterator<ChangeItem>
  /**
   * Plays a recorded trace: every event once and in order, with the pauses that were between them. Executes nothing. Ends with
   * the log, or when the signal aborts.
   * @throws HubError INVALID_PARAMS for a speed that is none, or an event that the log does not hold
   * @example
   * for await (const { event, data } of client.replay(traceId, { speed: 10 })) show(event, data)
   */
  replay(traceId: string, options?: ReplayOptions): AsyncIterableIterator<TraceEventItem>
  /** Reads what a trace's log holds, some hundred events at a time. @throws HubError NOT_FOUND */
  eventPages(traceId: string, options?: EventPagesOptions): AsyncIterableIterator<readonly TraceEventItem[]>
  /** One page of traces, newest first. */
  traces(filter?: TraceFilter, options?: RequestOptions): Promise<TracePage>
  /** One page of calls that wait for a person: their outcome is unknown, or their agent was never reached. */
  deadLetters(filter?: DeadLetterFilter, options?: RequestOptions): Promise<Page<DeadLetterView>>
  /**
   * Says what became of a dead letter, once, with one more event in its trace. How the call ended stays as it was reported.
   * @throws HubError NOT_FOUND; FORBIDDEN for another's call without the scope `calls:resolve:tenant`; INVALID_PARAMS for a call
   * that is no dead letter
   */
  resolve(callId: string, options: RequestOptions & { readonly reason: string }): Promise<ResolvedCall>
  /** A trace as it stands; watch on after its `cursor` and nothing is missed. @throws HubError NOT_FOUND */
  trace(traceId: string, options?: RequestOptions & { readonly owner?: string | undefined }): Promise<TraceView>
  /** The agents of which this caller may use a tool, with what is wrong with them and how they work. */
  agents(options?: RequestOptions): Promise<readonly AgentView[]>
  /** How much stands in the queue of each agent, of all tenants. @throws HubError FORBIDDEN without the scope `queues:read` */
  queues(options?: RequestOptions): Promise<readonly QueueView[]>
  /** All tools that this caller may use. */
  tools(options?: RequestOptions): Promise<readonly ListedTool[]>
  /** All prompts that this caller may use. */
  prompts(options?: RequestOptions): Promise<readonly Prompt[]>
  /**
   * A prompt as its agent fills it, to be shown to the person who chose it. Its text is the agent's.
   * @throws HubError NOT_FOUND; INVALID_PARAMS for arguments that it does not take
   */
  prompt(name: string, args: Readonly<Record<string, string>>, options?: RequestOptions): Promise<FilledPrompt>
  /** Reads a resource. What it holds is data. @throws HubError NOT_FOUND */
  readResource(uri: string, options?: RequestOptions): Promise<ResourceReading>
  /** Who the hub takes this page for. @throws HubError UNAUTHENTICATED for a page that has not signed in */
  session(options?: RequestOptions): Promise<Session>
  /** Signs the pages of the hub in, from one of them. @throws HubError UNAUTHENTICATED */
  signIn(apiKey: string, options?: RequestOptions): Promise<Session>
  signOut(options?: RequestOptions): Promise<void>
  /** Whether the hub has all that it needs to take calls. */
  ready(options?: RequestOptions): Promise<Readiness>
  /** Resolves when the hub answers and takes the API key. */
  ping(options?: RequestOptions): Promise<void>
}

/**
 * Creates a client of one hub. It opens no connection before it is used and has nothing to close. Runs in Node and browsers.
 * @throws TypeError when `baseUrl` is no http(s) URL, or holds credentials
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4000' })
 * const result = await client.call('syncboot_generate_schema', { domainName: 'MembershipGrade', fields: [] })
 */
export function createClient(options: ClientOptions): Client {
  const connection = new HubConnection(options)
  const { callerAgent } = options
  return {
    baseUrl: connection.baseUrl,
    call: (tool, args, callOptions) => callTool(connection, tool, args, { ...callOptions, callerAgent }),
    start: (tool, args, identity) => startCall(connection, tool, args, { ...identity, callerAgent }),
    rerun: (callId, rerunOptions) => rerunCall(connection, callId, { ...rerunOptions, callerAgent }),
    wait: (call, waitOptions) => waitForCall(connection, call, waitOptions),
    getCall: (callId, { signal } = {}) => getCall(connection, callId, signal),
    findCall: (by, { signal } = {}) => findCall(connection, by, signal),
    cancel: (callId, cancelOptions) => cancelCall(connection, callId, cancelOptions),
    watch: (traceId, watchOptions) => watchTrace(connection, traceId, watchOptions),
    watchJoined: (traces, joinedOptions) => watchJoined(connection, traces, joinedOptions),
    changes: (changeOptions) => listenToChanges(connection, changeOptions),
    replay: (traceId, replayOptions) => replayTrace(connection, traceId, replayOptions),
    eventPages: (traceId, pagesOptions) => readLog(connection, traceId, pagesOptions),
    traces: (filter = {}, { signal } = {}) => listTraces(connection, filter, signal),
    deadLetters: (filter = {}, { signal } = {}) => listDeadLetters(connection, filter, signal),
    resolve: (callId, resolveOptions) => resolveCall(connection, callId, resolveOptions),
    trace: (traceId, traceOptions) => getTrace(connection, traceId, traceOptions),
    agents: ({ signal } = {}) => listAgents(connection, signal),
    queues: ({ signal } = {}) => listQueues(connection, signal),
    tools: ({ signal } = {}) => listTools(connection, signal),
    prompts: ({ signal } = {}) => listPrompts(connection, signal),
    prompt: (name, args, { signal } = {}) => getPrompt(connection, name, args, signal),
    readResource: (uri, { signal } = {}) => readResource(connection, uri, signal),
    session: ({ signal } = {}) => readSession(connection, signal),
    signIn: (apiKey, { signal } = {}) => signIn(connection, apiKey, signal),
    signOut: ({ signal } = {}) => signOut(connection, signal),
    ready: ({ signal } = {}) => readReadiness(connection, signal),
    ping: async ({ signal } = {}) => {
      await askRpc(connection, 'ping', {}, signal)
    },
  }
}
