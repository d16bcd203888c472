import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDispatcher } from '../../apps/dispatcher/dist/index.js'
import { startHub } from '../../apps/hub/dist/index.js'
import { startRedis } from '../../apps/standalone/dist/redis/start-redis.js'
import { parseConfig } from '../../packages/core/dist/index.js'
import { createLogger } from '../../packages/telemetry/dist/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const AGENT = fileURLToPath(new URL('./agent/agent.mjs', import.meta.url))
/** Tools of the suite that are long ones, which the hub makes tasks of. */
const TASKS = ['slow_compute', 'protocol_error_job', 'confirm_delete', 'multi_input']
const READY_PATIENCE_MS = 20_000
const LOOK_MS = 50

/**
 * What the suite is held against: a hub with a dispatcher, and behind them the agent of the suite, reached as any agent is.
 *
 * @typedef {object} UnderTest
 * @property {string} url of the MCP endpoint
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it.
 *
 * @param {(line: string) => void} say told what takes long, and every warning of the hub
 * @returns {Promise<UnderTest>}
 */
export async function startUnderTest(say) {
  /** @type {(() => unknown)[]} */
  const closers = []
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  }
  try {
    const url = await start(say, (close) => void closers.push(close))
    return { url: `${url}/mcp`, stop }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}

/**
 * @param {(line: string) => void} say
 * @param {(close: () => unknown) => void} atEnd
 * @returns {Promise<string>} where the hub is
 */
async function start(say, atEnd) {
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-conformance-'))
  atEnd(() => rm(dataDir, { recursive: true }))
  const programDir = join(root, '.synchub', 'redis-program')
  const configFile = join(root, 'infra', 'redis.conf')
  const redis = await startRedis({ url: undefined, dataDir, programDir, configFile, onProgress: say })
  atEnd(() => redis.stop())
  const agent = fork(AGENT, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  atEnd(() => agent.kill('SIGKILL'))
  const [agentUrl] = await once(agent, 'message')
  const tools = {
    ...Object.fromEntries(TASKS.map((name) => [name, { mode: 'queued' }])),
    failing_job: { mode: 'queued', taskOnly: true },
    test_tool_with_task: { mode: 'queued', taskOnly: true, asksFirst: true },
  }
  const agents = { Conformance: { connector: 'mcp-http', url: agentUrl, mode: 'direct', tools } }
  const text = JSON.stringify({ agents })
  const parts = {
    config: parseConfig({ text, file: 'conformance.config.json', environment: {} }),
    redisUrl: redis.url,
    logger: createLogger({ name: 'conformance', level: 'warn', destination: { write: say } }),
  }
  const dispatcher = await startDispatcher(parts)
  atEnd(() => dispatcher.stop())
  const hub = await startHub({ ...parts, host: '127.0.0.1', port: 0 })
  atEnd(() => hub.stop())
  await untilReady(hub.url)
  // The suite knows only a server on localhost by this name.
  return hub.url.replace('127.0.0.1', 'localhost')
}

/** @param {string} url */
async function untilReady(url) {
  const deadline = Date.now() + READY_PATIENCE_MS
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (Date.now() > deadline) throw new Error('the hub did not reach the agent of the suite in time')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
