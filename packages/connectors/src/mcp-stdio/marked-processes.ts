import { readdir, readFile } from 'node:fs/promises'

/** The variable in the environment of all that an agent's process starts. */
export const PROCESS_MARK = 'SYNCHUB_PROCESS'

/**
 * Finds the processes that were born with a mark: one that has left its group and lost its parent still has the environment that it
 * began with. Only Linux lets one look; elsewhere none are found. Who starts a program with an empty environment hides it from us.
 */
export async function findMarkedProcesses(mark: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const wanted = `${PROCESS_MARK}=${mark}`
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(names.map(async (name) => (await readEnvironment(name)).includes(wanted)))
  return names.filter((_, at) => found[at] === true).map(Number)
}

/** Empty when the process has ended or belongs to somebody else. */
async function readEnvironment(pid: string): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return []
    throw error
  }
}
