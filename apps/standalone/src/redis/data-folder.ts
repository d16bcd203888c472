import { access, constants, mkdir, realpath } from 'node:fs/promises'
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
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
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
