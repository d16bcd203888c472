import { Redis } from 'ioredis'

/** A command of ioredis, as its connections send it. */
type Command = Parameters<Redis['sendCommand']>[0]
type Target = Parameters<Redis['sendCommand']>[1]

/**
 * A connection that gathers what one turn of the event loop sends and writes it at once: a busy process sends many small commands
 * in a turn, and a write of its own for each costs both sides a system call. Order and answers stay as they are.
 */
export class GatheredRedis extends Redis {
  #corked: Redis['stream'] | undefined

  override sendCommand(command: Command, target?: Target): unknown {
    const { stream } = this
    // There is no stream before the first connection, and another one after each.
    if (stream !== undefined && stream !== this.#corked) {
      this.#corked = stream
      stream.cork()
      setImmediate(() => {
        this.#corked = undefined
        stream.uncork()
      })
    }
    return super.sendCommand(command, target)
  }
}
