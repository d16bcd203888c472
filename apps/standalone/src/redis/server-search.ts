import { OLDEST_REDIS_VERSION } from '@synchub/redis'
import { StartError } from '../start-error.js'
import { downloadedCommand, downloadWithApt } from './apt-download.js'
import { installWithApt } from './apt-install.js'
import { hasApt } from './apt-packages.js'
import { MANUAL_STEPS } from './manual-steps.js'
import { inspectServerProgram, type ProgramInspection, type ServerProgram } from './server-program.js'
import { readErrorMessage } from './system-error.js'

/** Where to look for a server, and how to get one. */
export interface ServerSearch {
  /** Folder in which a server that was downloaded without root is kept between starts. */
  readonly programDir: string
  /** Commands to try first; `redis-server` and `valkey-server` on PATH by default. */
  readonly commands?: readonly string[]
  /** Whether packages may be installed on the system; by default, whether this process is root. */
  readonly mayInstall?: boolean
  /** Told one line about each step that takes seconds. */
  readonly onProgress: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Finds a Redis or Valkey server to start: on PATH, downloaded by an earlier start, installed from the system's packages
 * as root, or downloaded from them without root.
 *
 * @throws StartError that says what was found and the commands to type, when nothing serves.
 */
export async function findServerProgram({
  programDir,
  commands = ['redis-server', 'valkey-server'],
  mayInstall = process.getuid?.() === 0,
  onProgress,
  signal,
}: ServerSearch): Promise<ServerProgram> {
  const findings: string[] = []
  const tryCommand = async (command: string): Promise<ServerProgram | undefined> => {
    const inspection = await inspectServerProgram(command, signal)
    if (inspection.outcome === 'usable') return inspection.program
    findings.push(...describeRefusal(inspection))
    return undefined
  }
  const tryPackages = async (get: () => Promise<string | undefined>): Promise<ServerProgram | undefined> => {
    try {
      const command = await get()
      if (command !== undefined) return await tryCommand(command)
      findings.push(`the system's packages offer none from ${OLDEST_REDIS_VERSION} on`)
    } catch (error) {
      signal?.throwIfAborted()
      findings.push(readErrorMessage(error))
    }
    return undefined
  }

  for (const command of [...commands, downloadedCommand(programDir)]) {
    const program = await tryCommand(command)
    if (program !== undefined) return program
  }
  if (await hasApt(signal)) {
    const request = { onProgress, signal }
    const installed = mayInstall ? await tryPackages(() => installWithApt(request)) : undefined
    // Root without a writable system (a read-only image, a held package) is served like everyone else.
    const program = installed ?? (await tryPackages(() => downloadWithApt(programDir, request)))
    if (program !== undefined) return program
  }
  const found = findings.length > 0 ? ` (${findings.join('; ')})` : ''
  throw new StartError(`Redis: there is no server that SyncHub can start on this machine${found}.`, MANUAL_STEPS)
}

function describeRefusal(inspection: Exclude<ProgramInspection, { outcome: 'usable' }>): string[] {
  switch (inspection.outcome) {
    case 'missing':
      return []
    case 'too-old':
      return [`${inspection.command} is ${inspection.version}, SyncHub needs ${OLDEST_REDIS_VERSION} or newer`]
    case 'broken':
      return [`${inspection.command} does not run: ${inspection.reason}`]
  }
}
