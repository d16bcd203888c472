import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyAuthenticator, openAuthenticator } from '@synchub/auth'
import { connectAgents } from '@synchub/connectors'
import {
  type Clock,
  createContractBook,
  type HubConfig,
  type OpenedParts,
  openInOrder,
  refuseOpenHub,
} from '@synchub/core'
import { refuseExpectation, refuseUnreadable } from '@synchub/protocol'
import {
  createTraceList,
  createTraceReader,
  openChangeNotices,
  openStore,
  openTraceFeeds,
  type Store,
  watchMemory,
} from '@synchub/redis'
import { type Logger, systemClock } from '@synchub/telemetry'
import { openDeployments } from './agent-builder/deployments.js'
import { openCallDesk } from './calls/call-desk.js'
import { holdPresence } from './calls/presence.js'
import { createListener } from './http/listener.js'
import { countAnswers, type OpenAnswers } from './http/open-answers.js'
import { sendHeldAnswers, TurnResponse } from './http/turn-response.js'
import type { HubContext } from './hub-context.js'
import { openOfferDesk } from './offers/offer-desk.js'
import type { Doors } from './session/identify.js'
import { StreamQuota } from './streams/stream-quota.js'
import { StreamRegistry } from './streams/stream-registry.js'

/** How a hub is made. */
export interface HubOptions {
  readonly config: HubConfig
  readonly redisUrl: string
  /** Prefix of all keys in Redis; `synchub` by default. */
  readonly redisPrefix?: string
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly logger: Logger
  readonly clock?: Clock
  /** Folder of the built dashboard; none is served where it is absent. */
  readonly dashboardDir?: string
}

/** A running hub. */
export interface Hub {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string
  /** Takes nothing new, hands back what runs, ends the streams, closes. Asked again, it waits for the same end. */
  stop(): Promise<void>
}

const REQUEST_TIMEOUT_MS = 60_000

/**
 * Starts a hub.
 * @throws HubError HUB_UNAVAILABLE when Redis does not answer; an error with the code EADDRINUSE when the port is taken
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  refuseOpenHub(options)
  const { logger } = options
  const onFailure = (thrown: unknown) => logger.warn({ err: thrown }, 'store failed')
  return openInOrder((parts) => start(parts, options, onFailure), onFailure)
}

async function start(parts: OpenedParts, options: HubOptions, onFailure: (thrown: unknown) => void): Promise<Hub> {
  const { config, logger, clock = systemClock } = options
  const hubId = randomUUID()
  const store = await openStore({
    url: options.redisUrl,
    ...(options.redisPrefix === undefined ? {} : { prefix: options.redisPrefix }),
    clock,
    limits: config.limits,
    claims: config.idempotency,
    onFailure,
  })
  parts.add(() => store.close())
  const stopping = new AbortController()
  // Every open stream listens: Node would call the eleventh a leak, once, on stderr.
  setMaxListeners(0, stopping.signal)
  const context = await openContext(parts, {
    config,
    logger,
    clock,
    hubId,
    store,
    stopping: stopping.signal,
    onFailure,
  })
  const answers = countAnswers(createListener(context, openDoors(config, store), options.dashboardDir))
  // A request without Host is refused by our own guard, which says so in JSON.
  const server = createServer(
    { ServerResponse: TurnResponse, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false },
    answers.listener,
  )
  // Without this Node would ask for a body before anybody has looked whether it is wanted.
  server.on('checkContinue', answers.listener)
  server.on('checkExpectation', refuseExpectation)
  server.on('clientError', (error, connection) => {
    // What came right before on the same connection has its answer; it would be cut with it.
    sendHeldAnswers()
    refuseUnreadable(error, connection)
  })
  parts.add(async () => {
    stopping.abort()
    context.streams.closeAll()
    // It listens on while runs end: probes hear that it is not ready, and callers are refused in a form that they understand.
    await context.calls.stop()
    await close(server, answers)
  })
  await listen(server, options.host, options.port)
  const url = urlOf(server, options.host)
  logger.info({ url, hubId, access: config.access.mode }, 'hub is listening')
  return {
    url,
    async stop() {
      await parts.close()
      logger.info({ hubId }, 'hub has stopped')
    },
  }
}

function openDoors({ access }: HubConfig, { sessions }: Store): Doors {
  if (access.mode === 'none') return { authenticator: openAuthenticator }
  const keys = createKeyAuthenticator(access.keys)
  return { authenticator: keys, signIn: { keys, sessions } }
}

/** How long answers that are under way may take once the hub stops. */
const CUT_AFTER_MS = 2000

interface ContextOptions extends Pick<HubContext, 'config' | 'logger' | 'clock' | 'store' | 'stopping'> {
  readonly hubId: string
  onFailure(thrown: unknown): void
}

/** Opens everything behind the listener. */
async function openContext(
  parts: OpenedParts,
  { config, logger, clock, hubId, store, stopping, onFailure }: ContextOptions,
): Promise<HubContext> {
  const connections = connectAgents([...config.agents.values()], {
    mayStartProcesses: false,
    notice: (agent, reason) => logger.warn({ agent }, reason),
  })
  parts.add(() => connections.close())
  const reader = createTraceReader(store.link)
  const feeds = openTraceFeeds({
    keys: store.link.keys,
    subscriptions: store.subscriptions,
    reader,
    clock,
    lingerMs: config.streams.lingerMs,
    onFailure,
  })
  parts.add(() => feeds.close())
  const notices = openChangeNotices({ keys: store.link.keys, subscriptions: store.subscriptions, clock, onFailure })
  parts.add(() => notices.close())
  const deployments = openDeployments(config.publicPaths.values(), { clock, logger })
  parts.add(() => deployments.close())
  const memory = await watchMemory(store.link, {
    onChange(state, full) {
      if (full) logger.error(state, 'Redis is full: new calls are refused')
      else logger.warn(state, 'Redis has room again: new calls are taken')
    },
  })
  parts.add(() => memory.stop())
  const presence = await holdPresence(store.leases, hubId, onFailure)
  parts.add(() => presence.end())
  const offers = await openOfferDesk({ config, clock, hubId, store, connections })
  parts.add(() => offers.close())
  const calls = await openCallDesk({
    store,
    ports: {
      config,
      clock,
      hubId,
      contracts: createContractBook(),
      log: store.log,
      claims: store.claims,
      tickets: store.tickets,
      queue: store.queue,
      ...(store.counter === undefined ? {} : { counter: store.counter }),
      noRoom: memory.refusal,
      catalogue: () => deployments.join(store.catalogue.current()),
      connectionOf: (agent) => connections.get(agent) ?? deployments.connectionOf(agent),
      notice: (call, reason) =>
        logger.warn(call === null ? {} : { traceId: call.trace.traceId, callId: call.callId }, reason),
    },
  })
  return {
    config,
    clock,
    logger,
    store,
    catalogue: store.catalogue,
    deployments,
    calls,
    offers,
    reader,
    list: createTraceList(store.link, clock),
    feeds,
    notices,
    memory,
    presence,
    streams: new StreamRegistry(config.streams, clock),
    streamQuota: new StreamQuota(config.limits.caller.streams),
    stopping,
    isServing: () => !stopping.aborted,
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Waits for the answers that are under way, for a while. */
async function close(server: Server, answers: OpenAnswers): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await answers.settle(CUT_AFTER_MS)
  server.closeAllConnections()
  await closed
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
