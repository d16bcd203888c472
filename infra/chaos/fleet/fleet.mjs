import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../../apps/standalone/dist/redis/free-port.js'
import { startDispatcher, startHub } from '../../processes/apps.mjs'
import { startProgram } from '../../processes/program.mjs'
import { startRedisServer } from '../../processes/redis-server.mjs'
import { untilTakesCalls } from '../../processes/system.mjs'
import { policiesOf, toolNamesOf } from './tools.mjs'

/**
 * A process of the fleet, which may be replaced by another of its kind at the same address.
 *
 * @typedef {object} Member
 * @property {string} name
 * @property {() => Promise<void>} kill as kill -9 does
 * @property {() => Promise<void>} start after a kill; settles once it can be used
 * @property {(signal: NodeJS.Signals) => void} signal
 * @property {() => Promise<number | null>} stop in good order; its exit code
 */

/**
 * SyncHub as production runs it, of everything two where there may be two.
 *
 * @typedef {object} Fleet
 * @property {readonly string[]} urls of the hubs
 * @property {readonly Member[]} hubs
 * @property {readonly Member[]} dispatchers
 * @property {readonly Member[]} agents that are processes of their own
 * @property {string} pidFolder names the processes of the agent that dispatchers start
 * @property {import('../../processes/redis-server.mjs').RedisServer} redis
 * @property {string} ledger
 * @property {string} logFile
 */

/** No attempt of the fleet's tools takes longer, so that a lost one is known for lost while its caller still waits. */
const LIMITS = { maxDurationMs: 15_000, silenceTimeoutMs: 10_000, queueWaitMs: 60_000, retryDelayMs: 100 }

/**
 * Starts all of it.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @returns {Promise<Fleet>}
 */
export async function startFleet(room) {
  const inFolder = (/** @type {string} */ name) => join(room.folder, name)
  const logFile = inFolder('fleet.log')
  const log = createWriteStream(logFile)
  room.atEnd(() => void log.end())
  const onLine = (/** @type {string} */ line) => void log.write(`${line}\n`)
  const [ledger, pidFolder] = [inFolder('ledger.ndjson'), inFolder('stdio-pids')]
  const redis = await startRedisServer(room)
  const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()])
  const [nativePort, servicePort, ...hubPorts] = ports
  const stdioProgram = join(import.meta.dirname, '..', 'agents', 'stdio-agent.mjs')
  const config = {
    streams: { lingerMs: 200, retryMs: 100 },
    agents: {
      Native: { url: `http://127.0.0.1:${nativePort}`, ...LIMITS, concurrency: 20, tools: policiesOf('Native') },
      Service: {
        connector: 'tool-service',
        url: `http://127.0.0.1:${servicePort}`,
        manifest: '/',
        ...LIMITS,
        concurrency: 20,
        tools: policiesOf('Service'),
      },
      Stdio: {
        connector: 'mcp-stdio',
        command: process.execPath,
        args: [stdioProgram, ledger, inFolder('stdio-data'), pidFolder, ...toolNamesOf('Stdio')],
        ...LIMITS,
        concurrency: 20,
        tools: policiesOf('Stdio'),
      },
    },
  }
  const app = { redisUrl: redis.url, config, onLine }
  const [native, service, ...dispatchers] = await Promise.all([
    startMember('native agent', () =>
      startProgram(room, 'infra/chaos/agents/native-agent.mjs', {
        args: [ledger, inFolder('native-data'), String(nativePort), ...toolNamesOf('Native')],
        onLine,
      }),
    ),
    startMember('tool service', () =>
      startProgram(room, 'infra/chaos/agents/tool-service.mjs', {
        args: [ledger, String(servicePort), ...toolNamesOf('Service')],
        onLine,
      }),
    ),
    startMember('dispatcher 1', () => startDispatcher(room, app)),
    startMember('dispatcher 2', () => startDispatcher(room, app)),
  ])
  const hubs = await Promise.all(
    hubPorts.map((port, at) => startMember(`hub ${at + 1}`, () => startHub(room, { ...app, port }))),
  )
  const urls = hubPorts.map((port) => `http://127.0.0.1:${port}`)
  await Promise.all(urls.map(untilTakesCalls))
  return { urls, hubs, dispatchers, agents: [native, service], pidFolder, redis, ledger, logFile }
}

/**
 * @param {string} name
 * @param {() => Promise<import('../../processes/program.mjs').Program>} launch
 * @returns {Promise<Member>}
 */
async function startMember(name, launch) {
  let program = await launch()
  return {
    name,
    async kill() {
      await program.stop('SIGKILL')
    },
    async start() {
      program = await launch()
    },
    signal: (signal) => program.signal(signal),
    stop: () => program.stop(),
  }
}
