import { isSupportedVersion } from '@synchub/redis'
import { runCommand } from './command.js'
import { parseServerVersion } from './redis-version.js'
import { readErrorCode, readErrorMessage } from './system-error.js'

/** A Redis or Valkey server that can be started on this machine. */
export interface ServerProgram {
  /** A name on PATH or an absolute path. */
  readonly command: string
  /** Three numbers, e.g. `7.0.15`. */
  readonly version: string
}

/** Why a program cannot be used: there is none, it is too old, or it does not run (`reason` is what it said). */
export type ProgramRefusal =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'too-old'; readonly command: string; readonly version: string }
  | { readonly outcome: 'broken'; readonly command: string; readonly reason: string }

/** The answer to whether a program serves. */
export type ProgramInspection = { readonly outcome: 'usable'; readonly program: ServerProgram } | ProgramRefusal

/** Asks a program for its version, which also shows that it runs at all: its libraries are there and fit. */
export async function inspectServerProgram(command: string, signal?: AbortSignal): Promise<ProgramInspection> {
  try {
    const { exitCode, stdout, stderr } = await runCommand(command, ['--version'], { signal })
    const version = parseServerVersion(stdout)
    if (exitCode !== 0 || version === undefined) {
      const said = (stderr.trim() || stdout.trim()).split('\n')[0] ?? ''
      return { outcome: 'broken', command, reason: said || `it ended with exit code ${exitCode}` }
    }
    if (!isSupportedVersion(version)) return { outcome: 'too-old', command, version }
    return { outcome: 'usable', program: { command, version } }
  } catch (error) {
    signal?.throwIfAborted()
    if (readErrorCode(error) === 'ENOENT') return { outcome: 'missing' }
    return { outcome: 'broken', command, reason: readErrorMessage(error) }
  }
}
