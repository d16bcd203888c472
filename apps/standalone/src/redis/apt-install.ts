import { findAptOffer, runApt } from './apt-packages.js'
import { runCommand } from './command.js'
import { readErrorCode } from './system-error.js'

/** What both ways to get a server from the system's packages need. */
export interface AptRequest {
  /** Told one line about each step that takes seconds. */
  readonly onProgress: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Installs a server with apt, for which the process must be root, and answers its command; undefined when the packages
 * offer none that SyncHub runs on. The service that comes with the package is stopped and kept from starting at boot:
 * SyncHub starts a server of its own, and a database that nobody asked for should not run.
 *
 * @throws Error with apt's complaint.
 */
export async function installWithApt({ onProgress, signal }: AptRequest): Promise<string | undefined> {
  onProgress('Redis: none on this machine; reading the package lists (apt-get update, 1 of 2)')
  await runApt('apt-get', ['update'], signal)
  const offer = await findAptOffer([], signal)
  if (offer === undefined) return undefined
  onProgress(`Redis: installing ${offer.packageName} ${offer.version} (apt-get install, 2 of 2)`)
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60']
  await runApt('apt-get', ['install', ...options, offer.packageName], signal)
  await silencePackagedService(offer.packageName)
  return offer.packageName
}

/** The commands of both init systems; on a machine that has neither, as in a container, no service was started. */
async function silencePackagedService(service: string): Promise<void> {
  const steps = [
    ['systemctl', 'disable', '--now', service],
    ['service', service, 'stop'],
    ['update-rc.d', service, 'disable'],
  ] as const
  for (const [command, ...args] of steps) {
    try {
      await runCommand(command, args)
    } catch (error) {
      if (readErrorCode(error) !== 'ENOENT') throw error
    }
  }
}
