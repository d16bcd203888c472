import { UsageError } from './failure.js'

/**
 * A failure of the file system, told as one of the command line; any other as it is.
 * @param what - what could not be done, such as `--to archive: cannot be written`
 */
export function asFileFailure(thrown: unknown, what: string): unknown {
  // By its shape: an error of `fs` is not everywhere an instance of our own Error.
  if (typeof thrown !== 'object' || thrown === null || !('syscall' in thrown) || !('message' in thrown)) return thrown
  return new UsageError(`${what} (${String(thrown.message)})`, { cause: thrown })
}
