import type { NewCall } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import {
  createCancelBroadcast,
  createCatalogueStore,
  createClaims,
  createLeases,
  createOpenCalls,
  createTickets,
  createTraceList,
  loadScripts,
} from '../../src/index.js'
import { ACCEPTED, newCall, progress, RECEIVED, TRACE } from '../call/sample-call.js'
import { systemClock } from '../clock/system-clock.js'
import { Collector } from '../feed/collector.js'
import type { TestFeeds } from '../feed/test-feeds.js'
import type { TestStore } from '../place/test-store.js'
import { openQueues } from '../queue/test-worker.js'

/** The time limit of the store in production. */
export const COMMAND_TIMEOUT_MS = 1500

/** How soon a caller must know that the store is away. */
const MAX_WAIT_MS = 2000

/** Every operation of the store, ready to be asked. */
export function listOperations(
  store: TestStore,
  feeds: TestFeeds,
  call: NewCall,
): Record<string, () => Promise<unknown>> {
  const { link, log, reader } = store
  const scope = { tenant: 'acme', owner: 'alice' }
  const claim = { keyDigest: `k-${call.callId}`, payloadDigest: 'p' }
  const [claims, leases, tickets] = [createClaims(link, systemClock), createLeases(link), createTickets(link)]
  const [catalogue, openCalls, list] = [
    createCatalogueStore(link),
    createOpenCalls(link),
    createTraceList(link, systemClock),
  ]
  const queues = openQueues(store)
  const query = { tenant: 'acme', filter: {}, limit: 10 }
  const ticket = {
    ticketId: 't',
    callId: call.callId,
    trace: TRACE,
    agent: 'a',
    tool: 't',
    detail: 'd',
    requestedAtMs: 1,
  }
  return {
    record: () => log.record(newCall(), [RECEIVED, ACCEPTED]),
    change: () => log.change({ call, events: [progress(Date.now())] }),
    find: () => log.find(call.callId),
    findEnding: async () => log.findEnding({ ...call, state: 'completed', attempt: 1, createdAtMs: 1 }),
    head: () => reader.head(TRACE),
    readAfter: () => reader.readAfter(TRACE, null, 10),
    readOn: () => reader.readOn(TRACE, '1-1', 10),
    judgeCursor: () => reader.judgeCursor(TRACE, '1-1'),
    snapshot: () => reader.snapshot(TRACE),
    watch: () => Collector.join(feeds, { trace: { ...TRACE, traceId: `watched-${Date.now()}` }, follow: true }),
    claim: () => claims.claim(scope, claim, call),
    release: () => claims.release(scope, claim.keyDigest, call.callId),
    findCallId: () => claims.findCallId(scope, claim.keyDigest),
    'add to the queue': () => queues.add(call),
    'add to a new queue': () => queues.add({ ...call, agent: `agent-${Date.now()}` }),
    'add to a queue that is new in the outage': () => queues.add({ ...call, agent: 'newcomer' }),
    'has in the queue': () => queues.has(call),
    'remove from the queue': () => queues.remove(call),
    'hold a lease': () => leases.hold('sweep', 'me', 1000),
    'drop a lease': () => leases.drop('sweep', 'me'),
    'show presence': () => leases.showPresence('hub-1', 1000),
    'end presence': () => leases.endPresence('hub-1'),
    'ask for presence': () => leases.isPresent('hub-1'),
    'record a ticket': () => tickets.record(ticket),
    'find a ticket': () => tickets.find('t'),
    'read the catalogue': () => catalogue.read(),
    'write the catalogue': () => catalogue.write([], 0),
    'due calls': () => openCalls.due(Date.now(), 10),
    'look again': () => openCalls.lookAgain(call.callId, 1),
    'give a call up': () => log.abandon(call.callId),
    outline: () => log.findOutline(call.callId),
    newest: () => list.newest({ ...query, owner: 'alice' }),
    'newest of the tenant': () => list.newest(query),
    changedSince: () => list.changedSince(query, 0),
    ownersOf: () => list.ownersOf('acme', 'trace-1'),
    'announce a cancel': () => createCancelBroadcast(link).announce(call.callId),
    'load the scripts': () => loadScripts(link),
  }
}

/** What an operation came to: `answered`, or the code of its failure. */
export interface Answer {
  readonly code: string
  readonly inTime: boolean
}

/** Asks everything at once. */
export async function askAll(operations: Record<string, () => Promise<unknown>>): Promise<Record<string, Answer>> {
  const answers = Object.entries(operations).map(async ([name, ask]): Promise<[string, Answer]> => {
    const startedAt = Date.now()
    const code = await ask().then(
      () => 'answered',
      (thrown: unknown) => (thrown instanceof HubError ? thrown.code : String(thrown)),
    )
    return [name, { code, inTime: Date.now() - startedAt < MAX_WAIT_MS }]
  })
  return Object.fromEntries(await Promise.all(answers))
}

/** The same answer for every one of them. */
export const everyAnswer = (operations: object, code: string) =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, { code, inTime: true }]))
