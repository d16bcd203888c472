import { randomUUID } from 'node:crypto'
import { connectAgents } from '@synchub/connectors'
import {
  type Clock,
  createContractBook,
  type HubConfig,
  type OpenedParts,
  openAttempt,
  openInOrder,
  type RunEnd,
  RunningCalls,
  type RunPorts,
  runCall,
  type SweepPorts,
  sweepCall,
} from '@synchub/core'
import {
  createCancelBroadcast,
  createCatalogueStore,
  createOpenCalls,
  type JobEnd,
  openStore,
  type Store,
  startQueueWorker,
} from '@synchub/redis'
import { type Logger, systemClock } from '@synchub/telemetry'
import { createDiscovery } from './discovery.js'
import { readForHubs } from './errands.js'
import { startLeasedLoop } from './leased-loop.js'
import { startRetention } from './retention.js'

/** How a dispatcher is made. */
export interface DispatcherOptions {
  readonly config: HubConfig
  readonly redisUrl: string
  /** Prefix of all keys in Redis; `synchub` by default. */
  readonly redisPrefix?: string
  readonly logger: Logger
  readonly clock?: Clock
}

/** A running dispatcher. */
export interface Dispatcher {
  /** Takes nothing new, hands back what runs, closes. Asked again, it waits for the same end. */
  stop(): Promise<void>
}

const DISCOVER_EVERY_MS = 2000
const SWEEP_EVERY_MS = 1000
const SWEEP_BATCH = 100
const SWEPT_AT_ONCE = 10
const SWEEP_RETRY_MS = 30_000
const CHECK_EVERY_MS = 2000

/**
 * Starts a dispatcher: it takes queued calls, reaches their agents, appends their events; and, while it holds the leases,
 * discovers the agents' tools and sweeps the seams of design section 6.
 * @throws HubError HUB_UNAVAILABLE when Redis does not answer
 */
export function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { logger } = options
  const onFailure = (thrown: unknown) => logger.warn({ err: thrown }, 'dispatcher could not do its work; it goes on')
  return openInOrder((parts) => start(parts, options, onFailure), onFailure)
}

async function start(
  parts: OpenedParts,
  options: DispatcherOptions,
  onFailure: (thrown: unknown) => void,
): Promise<Dispatcher> {
  const { config, logger, clock = systemClock } = options
  const dispatcherId = randomUUID()
  const store = await openStore({
    url: options.redisUrl,
    ...(options.redisPrefix === undefined ? {} : { prefix: options.redisPrefix }),
    clock,
    limits: config.limits,
    claims: config.idempotency,
    onFailure,
  })
  parts.add(() => store.close())
  const agents = [...config.agents.values()]
  // Queued calls may open connections before the loop of discovery is there.
  let wakeDiscovery = () => {}
  const connections = connectAgents(agents, {
    mayStartProcesses: true,
    notice: (agent, reason) => logger.warn({ agent }, reason),
    onListChange: () => wakeDiscovery(),
  })
  parts.add(() => connections.close())
  const running = new RunningCalls<RunEnd | null>()
  const broadcast = createCancelBroadcast(store.link)
  const ports: RunPorts = {
    config,
    clock,
    contracts: createContractBook(),
    log: store.log,
    tickets: store.tickets,
    queue: store.queue,
    broadcast,
    catalogue: store.catalogue.current,
    connectionOf: (agent) => connections.get(agent),
    notice: (call, reason) =>
      logger.warn(call === null ? {} : { traceId: call.trace.traceId, callId: call.callId }, reason),
  }
  parts.add(await store.subscriptions.add(store.link.keys.cancelChannel, (callId) => running.supersede(callId)))
  const errands = await readForHubs(store, { agents: config.agents, connections, onFailure })
  parts.add(() => errands.stop())
  const timer = setInterval(() => void running.check(store.log).catch(onFailure), CHECK_EVERY_MS)
  parts.add(() => clearInterval(timer))
  const run = (callId: string) => runQueuedCall(callId, ports, running, logger)
  const workers = agents.map(({ name, concurrency }) =>
    startQueueWorker(store.link, { agent: name, concurrency, run, onFailure }),
  )
  parts.add(async () => {
    // Intake first: a call that is handed back must not be taken again by this very process.
    const closed = workers.map((worker) => worker.close())
    await running.drain(clock, config.stop.graceMs)
    await Promise.all(closed)
  })
  const catalogue = createCatalogueStore(store.link)
  const shared = { holder: dispatcherId, leases: store.leases, onFailure }
  const discovery = startLeasedLoop({
    ...shared,
    name: 'discovery',
    everyMs: DISCOVER_EVERY_MS,
    tick: createDiscovery({
      agents,
      connections,
      ...catalogue,
      onChange: ({ name, available, reason, tools, resources, prompts, refused }) =>
        logger.info(
          {
            agent: name,
            available,
            reason,
            tools: tools.length,
            resources: resources.length,
            prompts: prompts.length,
            refused,
          },
          'agent changed',
        ),
    }),
  })
  wakeDiscovery = discovery.wake
  const sweep = startLeasedLoop({
    ...shared,
    name: 'sweep',
    everyMs: SWEEP_EVERY_MS,
    async tick() {
      await sweepOnce(store, { config, clock, broadcast }, logger)
      for (const { name } of agents) await store.queue.renumber(name)
    },
  })
  const retention = startRetention(store, { ...shared, config, clock, logger })
  parts.add(async () => void (await Promise.all([discovery.stop(), sweep.stop(), retention.stop()])))
  logger.info({ dispatcherId, agents: agents.map(({ name }) => name) }, 'dispatcher takes calls')
  return {
    async stop() {
      await parts.close()
      logger.info({ dispatcherId }, 'dispatcher has stopped')
    },
  }
}

async function runQueuedCall(
  callId: string,
  ports: RunPorts,
  running: RunningCalls<RunEnd | null>,
  logger: Logger,
): Promise<JobEnd> {
  const end = await running.track(callId, async (signals) => {
    // Taken while the intake was closing: it goes back as it came.
    if (signals.stopping.aborted) return { kind: 'handed-back' }
    const call = await openAttempt(callId, ports, signals.stopping)
    if (call === null) return null
    const line = { traceId: call.trace.traceId, callId, agent: call.agent, tool: call.tool, attempt: call.attempt }
    logger.debug(line, 'attempt opened')
    const ended = await runCall(call, ports, signals)
    logger.info({ ...line, end: ended.kind === 'ended' ? ended.ending.event : ended.kind }, 'run ended')
    return ended
  })
  return end?.kind === 'handed-back' ? 'handed-back' : 'done'
}

/** Looks at every open call that is due. */
async function sweepOnce(
  { link, index, log, queue, claims, leases }: Store,
  given: Pick<SweepPorts, 'config' | 'clock' | 'broadcast'>,
  logger: Logger,
): Promise<void> {
  const { clock } = given
  const open = createOpenCalls(link)
  const ports = { ...given, log, queue, claims, isHubPresent: leases.isPresent }
  const sweep = async (callId: string) => {
    const next = await sweepCall(callId, ports)
    if (next.kind === 'look-again') {
      await open.lookAgain(callId, next.atMs)
      return
    }
    // Ended and still among the open ones: its writer is gone, and the list of changes has not heard of the end yet.
    if (next.kind === 'close') await index.close(callId, next.trace, clock.now(), next.isDeadLetter)
  }
  const due = await open.due(clock.now(), SWEEP_BATCH)
  const results: PromiseSettledResult<void>[] = []
  // Some at a time: the questions of a hundred calls at once would keep the progress of all calls waiting.
  for (let at = 0; at < due.length; at += SWEPT_AT_ONCE) {
    results.push(...(await Promise.allSettled(due.slice(at, at + SWEPT_AT_ONCE).map(sweep))))
  }
  for (const [at, result] of results.entries()) {
    if (result.status === 'fulfilled') continue
    // One call that cannot be swept must not keep the others from it.
    logger.warn({ err: result.reason, callId: due[at] }, 'open call could not be swept; it is looked at again later')
    await open.lookAgain(due[at] ?? '', clock.now() + SWEEP_RETRY_MS)
  }
}
