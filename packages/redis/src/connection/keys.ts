import type { ClaimScope, TraceRef } from '@synchub/core'

/** Names of everything that the hub keeps in Redis, in one place. */
export interface Keys {
  /** Keys and channel of one trace; they share one hash tag, so that a cluster keeps them on one node. */
  trace(ref: TraceRef): TraceKeys
  /** callId -> trace. */
  callIndex(callId: string): string
  /** Owners that have traces in a tenant. */
  owners(tenant: string): string
  /** Traces of an owner by the instant they were made. */
  traces(tenant: string, owner: string): string
  /** Traces of an owner by the instant a call of them last began or ended. */
  changes(tenant: string, owner: string): string
  /** Open calls by the instant at which a sweep should look at them. */
  readonly openCalls: string
  /** Traces by the instant of their last end: the order in which retention removes them. */
  readonly endedTraces: string
  /** Says that the traces of versions without retention are in that order too. */
  readonly adopted: string
  /** Traces that have grown long and may have to be cut. */
  readonly longTraces: string
  /** Calls that were given up by the instant of their end: of an owner, or of the whole tenant; resolved ones apart. */
  deadLetters(kind: 'open' | 'resolved', tenant: string, owner?: string): string
  /** Open calls of a caller, or of all of a tenant, for limits on them; in one slot for each tenant. */
  heldCalls(tenant: string, owner?: string): string
  /** Counts of an agent's runs on one day, of an owner, or of the whole tenant. */
  pace(day: number, agent: string, tenant: string, owner?: string): string
  /** Where calls that are sent are counted. */
  sentCalls(kind: 'caller' | 'tenant'): string
  /** Sessions of the MCP clients of a caller by the instant of their last use. */
  clientSessionsOf(tenant: string, owner: string): string
  claim(scope: ClaimScope, keyDigest: string): string
  ticket(ticketId: string): string
  readonly catalogue: string
  readonly catalogueChannel: string
  readonly cancelChannel: string
  /** Where hubs tell each other that a client cancelled a request. */
  readonly requestCancelChannel: string
  /** Channel: sessions of MCP clients that were changed or ended. */
  readonly clientSessionChannel: string
  /** Where a tenant's listeners are told that a trace stands otherwise. */
  noticeChannel(tenant: string): string
  readonly replyChannelPrefix: string
  /** A read that waits for a dispatcher. */
  errand(errandId: string): string
  errandAnswer(errandId: string): string
  readonly errandChannel: string
  readonly errandReplyPrefix: string
  lease(name: string): string
  hubPresence(hubId: string): string
  /** What a session was opened with, by the digest of its secret. */
  session(digest: string): string
  /** Session of an MCP client, by the digest of its id. */
  clientSession(digest: string): string
  /** What a caller was asked outside of any call. */
  question(ticket: string): string
  /** The key by which hubs sign what clients bring again. */
  readonly stateKey: string
  /** Prefix for the keys of the agent's queue. */
  readonly queuePrefix: string
  /** What waits for an agent, as BullMQ keeps it; in the slot of the queues like the two that follow. */
  waitingJobs(agent: string): string
  /** Where the rounds stand in which callers take turns at an agent. */
  queueRounds(agent: string): string
  /** Rounds of the calls that one caller has queued for an agent, those that have run before apart. */
  queueLane(agent: string, caller: Pick<TraceRef, 'tenant' | 'owner'>, kind: 'first' | 'again'): string
}

/** Keys of one trace. */
export interface TraceKeys {
  readonly trace: string
  readonly log: string
  readonly calls: string
  readonly callPrefix: string
  call(callId: string): string
  result(callId: string): string
  /** Calls that name this one as their parent. */
  children(callId: string): string
  readonly channel: string
}

/** The name of an agent's queue in BullMQ. */
export function queueName(agent: string): string {
  return `agent-${agent}`
}

/** Names under `prefix`, which holds no braces: those mark the slot of a cluster. */
export function createKeys(prefix: string): Keys {
  const queuePrefix = `{${prefix}:queue}`
  return {
    trace({ tenant, owner, traceId }) {
      const base = `${prefix}:{${tenant}:${owner}:${traceId}}`
      return {
        trace: `${base}:trace`,
        log: `${base}:log`,
        calls: `${base}:calls`,
        callPrefix: `${base}:call:`,
        call: (callId) => `${base}:call:${callId}`,
        result: (callId) => `${base}:result:${callId}`,
        children: (callId) => `${base}:children:${callId}`,
        channel: `${base}:live`,
      }
    },
    callIndex: (callId) => `${prefix}:call:${callId}`,
    owners: (tenant) => `${prefix}:owners:${tenant}`,
    traces: (tenant, owner) => `${prefix}:traces:${tenant}:${owner}`,
    changes: (tenant, owner) => `${prefix}:changes:${tenant}:${owner}`,
    openCalls: `${prefix}:open`,
    endedTraces: `${prefix}:ended`,
    adopted: `${prefix}:ended:adopted`,
    longTraces: `${prefix}:long`,
    deadLetters: (kind, tenant, owner) => `${prefix}:dead:${kind}:${tenant}${owner === undefined ? '' : `:${owner}`}`,
    heldCalls: (tenant, owner) => `${prefix}:held:{${prefix}:held:${tenant}}${owner === undefined ? '' : `:${owner}`}`,
    pace: (day, agent, tenant, owner) =>
      `${prefix}:pace:${day}:${agent}:${tenant}${owner === undefined ? '' : `:${owner}`}`,
    sentCalls: (kind) => `${prefix}:sent:${kind}`,
    clientSessionsOf: (tenant, owner) => `${prefix}:client-sessions:${tenant}:${owner}`,
    claim: ({ tenant, owner }, keyDigest) => `${prefix}:key:${tenant}:${owner}:${keyDigest}`,
    ticket: (ticketId) => `${prefix}:ticket:${ticketId}`,
    // The number is that of its layout: a process that knows another one does not read it.
    catalogue: `${prefix}:catalogue:2`,
    catalogueChannel: `${prefix}:catalogue:changed`,
    cancelChannel: `${prefix}:cancelled`,
    requestCancelChannel: `${prefix}:request-cancelled`,
    clientSessionChannel: `${prefix}:client-session-changed`,
    noticeChannel: (tenant) => `${prefix}:notices:${tenant}`,
    replyChannelPrefix: `${prefix}:reply:`,
    errand: (errandId) => `${prefix}:errand:${errandId}`,
    errandAnswer: (errandId) => `${prefix}:errand-answer:${errandId}`,
    errandChannel: `${prefix}:errands`,
    errandReplyPrefix: `${prefix}:errand-reply:`,
    lease: (name) => `${prefix}:lease:${name}`,
    hubPresence: (hubId) => `${prefix}:hub:${hubId}`,
    session: (digest) => `${prefix}:session:${digest}`,
    clientSession: (digest) => `${prefix}:client-session:${digest}`,
    question: (ticket) => `${prefix}:question:${ticket}`,
    stateKey: `${prefix}:state-key`,
    queuePrefix,
    waitingJobs: (agent) => `${queuePrefix}:${queueName(agent)}:prioritized`,
    queueRounds: (agent) => `${prefix}:rounds:${queuePrefix}:${agent}`,
    queueLane: (agent, { tenant, owner }, kind) => `${prefix}:lane:${queuePrefix}:${agent}:${tenant}:${owner}:${kind}`,
  }
}
