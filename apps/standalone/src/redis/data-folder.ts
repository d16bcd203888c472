import { access, constants, mkdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StartError } from '../start-error.js'
import { readErrorCode, readErrorMessage } from './system-error.js'

/**
 * Makes the data folder if it is missing and sees that this process may write it. Answers its real path, which is the
 * same by whatever links it was named.
 *
 * @throws StartError when it is a file, or cannot be made or written.
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  try {
    // 0700: the log holds the arguments and results of every call.
    await makeFolder(resolve(dataDir))
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    throw new StartError(
      `Redis: the data folder ${dataDir} cannot be made or written (${readErrorCode(error) ?? readErrorMessage(error)}).`,
      'Give this user the right to write it, or name another data folder.',
      { cause: error },
    )
  }
}

/** Level by level: in places such as /proc, where nothing can be made, Node's own recursive mkdir goes round for ever. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = readErrorCode(error)
    if (code === 'EEXIST') return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder || (await exists(parent))) throw error
    await makeFolder(parent)
    await mkdir(folder, { mode: 0o700 })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
