import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** One short talk with a server. */
export interface ServerQuestion<Answer> {
  readonly url: string
  /** Bound on the whole talk, connecting included, in milliseconds. */
  readonly timeoutMs: number
  readonly ask: (client: Redis) => Promise<Answer>
}

/**
 * Connects to a server once, asks it, and leaves. Unlike the connections that hub and dispatcher keep, this one never
 * tries again: whoever asks wants to know how the server answers now.
 *
 * @throws the network's error with its `code`, the server's refusal, or Error `timed out`.
 */
export async function askServer<Answer>({ url, timeoutMs, ask }: ServerQuestion<Answer>): Promise<Answer> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  })
  // What a failed connect() rejects with is only "Connection is closed."; the cause comes as an event before it.
  let cause: Error | undefined
  client.on('error', (error: Error) => {
    cause ??= error
  })
  const talk = async (): Promise<Answer> => {
    await client.connect()
    return await ask(client)
  }
  // ref: false, so that a timer that is no longer of interest does not keep the process from ending.
  const silence = delay(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error('timed out')
  })
  try {
    return await Promise.race([talk(), silence])
  } catch (error) {
    throw cause ?? error
  } finally {
    // On a connection that has already failed, disconnect() would wait 2 s for its close before the process may end.
    if (client.status !== 'end') client.disconnect()
  }
}
