import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, type HubConfig, parseConfig, refuseOpenHub } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { createFileLogger } from '@synchub/telemetry'
import { REFERENCE_AGENTS } from './agents/reference-agents.js'
import { startAgents } from './agents/start-agents.js'
import { PROJECT_DIR, type StartEnvironment } from './env.js'
import { addressOfHub, requireFreePort } from './listening-port.js'
import { prepareDataFolder } from './redis/data-folder.js'
import { findFreePort } from './redis/free-port.js'
import { startRedis } from './redis/start-redis.js'
import { StartError } from './start-error.js'

/** Where the build of the dashboard puts its pages. */
const DASHBOARD_DIR = join(PROJECT_DIR, 'apps', 'dashboard', 'dist', 'site')

/** How everything is started. */
export interface StandaloneOptions {
  readonly environment: StartEnvironment
  /** Told one line about each step. */
  onProgress(line: string): void
  /** Gives the start up; what was started by then is ended. */
  readonly signal: AbortSignal
}

/** Redis, agents, dispatcher and hub, running. */
export interface Standalone {
  readonly url: string
  readonly logDir: string
  /** Whether callers need no key. */
  readonly isOpen: boolean
  /** Rejects when a Redis of our own ends by itself: nothing works without it. */
  readonly failed: Promise<never>
  /** Ends everything in reverse order, Redis last. */
  stop(): Promise<void>
}

/**
 * Starts all of SyncHub on this machine, in the order in which the parts need each other. Whatever fails, what was started by
 * then is ended again.
 * @throws StartError one sentence and a remedy
 */
export async function startStandalone({ environment, onProgress, signal }: StandaloneOptions): Promise<Standalone> {
  const { host, configFile, logLevel } = environment
  // SyncETA tests this hub, SyncVerse calls it, and both start before it: the port is settled now.
  const port = environment.port === 0 ? await findFreePort() : environment.port
  // Whatever hub the user's own commands ask: access tokens of this one go nowhere else.
  const variables = { ...environment.variables, SYNCHUB_URL: addressOfHub(host, port) }
  // Everything that can be known to be wrong is found before anything runs.
  const configText = await readConfigText(configFile)
  requireLoopback(readConfig(configText, configFile, withPlaceholders(variables)), host)
  await requireFreePort(host, port)
  const dataDir = await prepareDataFolder(environment.dataDir)
  const logDir = join(dataDir, 'logs')
  await mkdir(logDir, { recursive: true, mode: 0o700 })
  const logger = createFileLogger({ name: 'synchub', level: logLevel, file: join(logDir, 'synchub.log') })

  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end()
  }
  try {
    const redis = await startRedis({
      url: environment.redisUrl,
      dataDir: join(dataDir, 'redis'),
      programDir: join(dataDir, 'redis-program'),
      configFile: join(PROJECT_DIR, 'infra', 'redis.conf'),
      onProgress,
      signal,
    })
    stops.push(redis.stop)
    onProgress(`Redis ${redis.version} answers`)
    // Not before Redis has the data folder: the agents of another SyncHub may be at work in it.
    const agentsStart = startAgents({ variables, dataDir, logDir, logLevel, onProgress })
    // An agent that does not start ends the others itself; why is told where their start is waited for.
    const endAgents = agentsStart.then(
      ({ stop: end }) => end,
      () => async () => undefined,
    )
    stops.push(async () => (await endAgents)())
    // Half of a start is to load these two: that is done while the agents come up in processes of their own.
    const [{ startDispatcher }, { startHub }] = await Promise.all([
      import('@synchub/dispatcher'),
      import('@synchub/hub'),
    ])
    const agents = await agentsStart
    onProgress(`Agents ${REFERENCE_AGENTS.map(({ name }) => name).join(', ')} listen`)
    signal.throwIfAborted()
    const config = readConfig(configText, configFile, agents.variables)
    const dispatcher = await startDispatcher({ config, redisUrl: redis.url, logger })
    stops.push(dispatcher.stop)
    const hub = await startHub({ config, redisUrl: redis.url, host, port, logger, dashboardDir: DASHBOARD_DIR })
    stops.push(hub.stop)
    onProgress(`Hub and dispatcher serve ${hub.url}`)
    signal.throwIfAborted()
    const failed = redis.ended.then((words): never => {
      throw new StartError(`Redis: the server ended by itself: ${words}`, `Read ${logDir} and start again.`)
    })
    // Ending Redis ourselves is no failure; whoever waits for one has stopped waiting by then.
    failed.catch(() => undefined)
    return { url: hub.url, logDir, isOpen: config.access.mode === 'none', failed, stop }
  } catch (thrown) {
    await stop()
    throw thrown instanceof HubError ? toStartError(thrown) : thrown
  }
}

async function readConfigText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const remedy = 'Name the configuration in SYNCHUB_CONFIG, or unset it to use infra/synchub.config.json.'
    throw new StartError(`Configuration: ${file} cannot be read.`, remedy, { cause })
  }
}

function readConfig(text: string, file: string, environment: Readonly<Record<string, string | undefined>>): HubConfig {
  try {
    return parseConfig({ text, file, environment })
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    throw new StartError(
      `Configuration: ${cause.message}.`,
      'Correct that; infra/synchub.schema.json says what may stand where.',
      {
        cause,
      },
    )
  }
}

function requireLoopback(config: HubConfig, host: string): void {
  try {
    refuseOpenHub({ config, host })
  } catch (thrown) {
    throw thrown instanceof HubError ? toStartError(thrown) : thrown
  }
}

/** Values for what is known only once the agents run, so that the file can be checked before. */
function withPlaceholders(variables: StartEnvironment['variables']): Record<string, string | undefined> {
  const addresses = REFERENCE_AGENTS.map(({ urlVariable }) => [urlVariable, 'http://127.0.0.1'])
  return { SYNCHUB_AGENT_SECRET: 'placeholder', ...Object.fromEntries(addresses), ...variables }
}

function toStartError(error: HubError): StartError {
  return new StartError(`Hub: ${error.reason}.`, error.details.nextStep ?? error.definition.nextStep, { cause: error })
}
