import { isSupportedVersion } from '@synchub/redis'
import { runCommand } from './command.js'
import { parsePackageVersion } from './redis-version.js'
import { readErrorCode } from './system-error.js'

/** A server that the system's package lists offer. */
export interface AptOffer {
  readonly packageName: 'redis-server' | 'valkey-server'
  /** Three numbers, e.g. `7.0.15`. */
  readonly version: string
}

/** In the order in which they are tried: where both exist, either serves. */
const PACKAGE_NAMES = ['redis-server', 'valkey-server'] as const

/** True on Debian, Ubuntu and their kin. */
export async function hasApt(signal?: AbortSignal): Promise<boolean> {
  try {
    return (await runCommand('apt-get', ['--version'], { signal })).exitCode === 0
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return false
    throw error
  }
}

/**
 * The first server that the package lists offer in a version that SyncHub runs on; undefined when the lists are empty
 * or old, or offer only older ones. `aptOptions` may point apt at other lists than the system's.
 */
export async function findAptOffer(aptOptions: readonly string[], signal?: AbortSignal): Promise<AptOffer | undefined> {
  for (const packageName of PACKAGE_NAMES) {
    const { stdout } = await runApt('apt-cache', [...aptOptions, 'policy', packageName], signal)
    const version = parsePackageVersion(/Candidate: (\S+)/.exec(stdout)?.[1] ?? '')
    if (version !== undefined && isSupportedVersion(version)) return { packageName, version }
  }
  return undefined
}

/**
 * Runs one of apt's commands to success. Apt itself tries a download again that failed for a moment.
 *
 * @throws Error with the last line that apt wrote.
 */
export async function runApt(
  command: 'apt-get' | 'apt-cache',
  args: readonly string[],
  signal?: AbortSignal,
  cwd?: string,
): Promise<{ readonly stdout: string }> {
  // Without a terminal nobody could answer debconf's questions; C makes the output that is parsed here the same everywhere.
  const environment = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C']
  const commandLine = [...environment, command, '-o', 'Acquire::Retries=3', ...args]
  const { exitCode, stdout, stderr } = await runCommand('env', commandLine, { signal, ...(cwd && { cwd }) })
  if (exitCode === 0) return { stdout }
  const complaint = stderr.trim().split('\n').at(-1) ?? ''
  throw new Error(`${command} ${args.find((arg) => /^[a-z]/.test(arg)) ?? ''} failed: ${complaint}`)
}
