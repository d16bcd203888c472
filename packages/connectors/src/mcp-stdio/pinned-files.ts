import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ExchangeError } from '../http/exchange-error.js'

/**
 * Sees to it that files are those that somebody has approved (S4.1): a local program may have been tampered with.
 * @param pins - SHA-256 (hex) by path, relative to `cwd`
 * @throws ExchangeError `unreachable` naming the file: the process is not to be started
 */
export async function requirePinnedFiles(pins: ReadonlyMap<string, string>, cwd: string): Promise<void> {
  for (const [file, wanted] of pins) {
    const found = await digestOf(resolve(cwd, file))
    if (found === wanted) continue
    const reason = `${file} has the SHA-256 ${found}, not ${wanted} as the configuration says; the agent is not started`
    throw new ExchangeError('unreachable', reason)
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (cause) {
    throw new ExchangeError(
      'unreachable',
      `${path} cannot be read, so its SHA-256 is not known; the agent is not started`,
      cause,
    )
  }
  return hash.digest('hex')
}
