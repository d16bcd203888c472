import { readFile } from 'node:fs/promises'
import { runCommand } from './command.js'
import { readErrorCode } from './system-error.js'

/**
 * What tells a process from a later one that got the same number: on Linux the boot and the clock tick in which it
 * started, elsewhere what `ps` says about its start. Undefined when no such process runs; one that ended and was not
 * collected by its parent yet does not run.
 */
export async function readProcessIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readIfThere(`/proc/${pid}/stat`)
    // The second field, the name in parentheses, may hold spaces and parentheses of its own: fields count from its end.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
    const bootId = await readIfThere('/proc/sys/kernel/random/boot_id')
    return `${bootId?.trim() ?? 'boot'}/${fields[19]}`
  }
  const { exitCode, stdout } = await runCommand('ps', ['-o', 'lstart=', '-p', String(pid)])
  return exitCode === 0 ? stdout.trim() : undefined
}

/** The command line of a process, or the title that it gave itself; undefined when there is no such process. */
export async function readCommandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return (await readIfThere(`/proc/${pid}/cmdline`))?.replaceAll('\0', ' ')
  const { exitCode, stdout } = await runCommand('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return exitCode === 0 ? stdout : undefined
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = readErrorCode(error)
    // ESRCH: the process ended between the opening and the reading of its file.
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
