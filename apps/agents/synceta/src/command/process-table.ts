import { readdirSync, readFileSync } from 'node:fs'

/** A process that lives; one that has ended and was not yet collected by its parent is none. */
export interface LivingProcess {
  readonly pid: number
  readonly groupId: number
}

/** States of a process that has ended: zombie, dead. */
const ENDED_STATES = new Set(['Z', 'X', 'x'])

/**
 * Finds processes by their group, or by what their environment held when they began: a child that has left its group still has the
 * environment it was born with. Only Linux lets one look; elsewhere none are found. It reads without waiting, some 0.1 ms for each
 * process of the machine, so that it can be asked also while this process ends.
 * @param groupId - undefined to look at the environment only
 * @param isMarked - told each `NAME=value` of a process
 */
export function findProcesses(groupId: number | undefined, isMarked: (variable: string) => boolean): LivingProcess[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((pid) => {
    const stat = parseStat(readProcessFile(pid, 'stat'))
    if (stat === undefined) return []
    const isOurs = stat.groupId === groupId || readProcessFile(pid, 'environ').split('\0').some(isMarked)
    return isOurs ? [{ pid: Number(pid), groupId: stat.groupId }] : []
  })
}

/** `pid (name) state parent group ...`; the name may hold spaces and parentheses itself. */
function parseStat(text: string): { readonly groupId: number } | undefined {
  const [state = 'X', , groupId] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' || ENDED_STATES.has(state) ? undefined : { groupId: Number(groupId) }
}

/** Empty when the process has ended or belongs to somebody else. */
function readProcessFile(pid: string, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return ''
    throw error
  }
}

/** Sends a signal; one who has ended by now needs none, and neither does a process of somebody else. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Whether a process of the group lives, or has ended and was not yet collected. */
export function hasLivingGroup(groupId: number): boolean {
  try {
    return process.kill(-groupId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
