import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { HubError } from '@synchub/protocol'
import { checkServer } from '@synchub/redis'
import { StartError } from '../start-error.js'
import { prepareDataFolder } from './data-folder.js'
import { lockDataFolder } from './data-lock.js'
import { findFreePort } from './free-port.js'
import { endLeftoverServer } from './leftover-server.js'
import { explainEarlyEnd, isPortTaken } from './server-end.js'
import { type ServerProcess, spawnServer } from './server-process.js'
import type { ServerProgram } from './server-program.js'
import { waitUntilReady } from './server-readiness.js'
import { findServerProgram } from './server-search.js'

/** How to come by a Redis. */
export interface RedisStart {
  /** A server that somebody else runs. With it nothing is started, and the folders are not touched. */
  readonly url?: string | undefined
  /** Folder for the log of a server of our own; made if missing. */
  readonly dataDir: string
  /** Folder for a server program that had to be downloaded. */
  readonly programDir: string
  /** The commented settings, `infra/redis.conf`. */
  readonly configFile: string
  /** Told one line about each step that takes long or that the user should know of. */
  readonly onProgress: (line: string) => void
  /** Gives the start up; what was started by then is ended before the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A Redis that answers. */
export interface RunningRedis {
  /** `redis://` URL with its password: never to be shown as it is. */
  readonly url: string
  /** Three numbers, e.g. `7.0.15`. */
  readonly version: string
  /** Resolves once a server of our own has ended, asked or not, with the last lines that it wrote. */
  readonly ended: Promise<string>
  /** Ends a server of our own once its log is on disk; leaves one of somebody else alone. May be called again. */
  stop(): Promise<void>
}

/** How often a port that was taken in the moment between finding and using it is replaced by another. */
const MAX_PORTS_TRIED = 5

/**
 * Finds or starts the Redis that SyncHub runs on, and answers once it answers. A server of our own keeps its log in
 * `dataDir`, is found by nobody else (loopback, free port, fresh password), and ends with this process.
 *
 * @throws StartError with sentence and remedy, for everything that the user can do something about.
 */
export async function startRedis(start: RedisStart): Promise<RunningRedis> {
  return start.url === undefined ? startOwnServer(start) : useServer(start.url, start.onProgress)
}

async function useServer(url: string, onProgress: (line: string) => void): Promise<RunningRedis> {
  try {
    const { version, warnings } = await checkServer(url)
    warnings.forEach(onProgress)
    return { url, version, ended: new Promise(() => undefined), stop: async () => undefined }
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown
    throw new StartError(`${thrown.reason}.`, thrown.details.nextStep ?? thrown.definition.nextStep, { cause: thrown })
  }
}

async function startOwnServer(start: RedisStart): Promise<RunningRedis> {
  const dataDir = await prepareDataFolder(start.dataDir)
  const lock = await lockDataFolder(dataDir)
  try {
    const program = await findServerProgram(start)
    const pidFile = join(dataDir, 'redis.pid')
    const title = `synchub:${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
    await endLeftoverServer({ pidFile, title, onProgress: start.onProgress })
    const { url, server } = await startOnFreePort(program, { ...start, dataDir, pidFile, title })
    let stopping: Promise<void> | undefined
    const stop = (): Promise<void> => (stopping ??= server.stop().then(() => lock.release()))
    return { url, version: program.version, ended: server.ended, stop }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startOnFreePort(
  { command }: ServerProgram,
  { signal, onProgress, ...folder }: RedisStart & { readonly pidFile: string; readonly title: string },
): Promise<{ readonly url: string; readonly server: ServerProcess }> {
  for (let tries = 1; ; tries += 1) {
    const port = await findFreePort()
    const password = randomBytes(24).toString('base64url')
    const url = `redis://:${password}@127.0.0.1:${port}`
    const server = spawnServer({ ...folder, command, port, password })
    try {
      const readiness = await waitUntilReady({ url, ended: server.ended, onProgress, signal })
      if (readiness.outcome === 'ready') return { url, server }
      if (readiness.outcome === 'silent') {
        const remedy = 'Start again; if it stays so, look at the load of this machine and its disk.'
        throw new StartError(`Redis: ${command} runs but does not answer (${readiness.lastAnswer}).`, remedy)
      }
      if (tries < MAX_PORTS_TRIED && isPortTaken(readiness.output)) continue
      throw explainEarlyEnd(command, folder.dataDir, readiness.output)
    } catch (error) {
      await server.stop()
      throw error
    }
  }
}
