import { setTimeout as delay } from 'node:timers/promises'
import { askServer } from '@synchub/redis'
import { readErrorMessage } from './system-error.js'

/** Pace of the tries while a server does not answer yet, in milliseconds. */
const TRY_INTERVAL_MS = 25

/** How long one try may take, in milliseconds. */
const PING_TIMEOUT_MS = 2_000

/** How long a running server may stay silent, in milliseconds. Reading its log does not count: then it says so. */
const SILENCE_LIMIT_MS = 20_000

/** Pace of the lines about a long log that is being read, in milliseconds. */
const LOADING_LINE_INTERVAL_MS = 2_000

/** How the wait for a server came out: `silent` when it runs but does not answer, `ended` with its last words. */
export type Readiness =
  | { readonly outcome: 'ready' }
  | { readonly outcome: 'silent'; readonly lastAnswer: string }
  | { readonly outcome: 'ended'; readonly output: string }

/** The server that is waited for. */
export interface ReadinessWait {
  readonly url: string
  /** Resolves with the server's last words if it ends. */
  readonly ended: Promise<string>
  readonly onProgress: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Asks a server that was just started until it answers PING, has ended, or has been silent for too long. */
export async function waitUntilReady({ url, ended, onProgress, signal }: ReadinessWait): Promise<Readiness> {
  const end = ended.then((output) => ({ outcome: 'ended', output }) as const)
  let silentSince = performance.now()
  let nextLineAt = performance.now() + LOADING_LINE_INTERVAL_MS
  for (;;) {
    signal?.throwIfAborted()
    const answer = await Promise.race([end, ping(url)])
    if (typeof answer !== 'string') return answer
    if (answer === 'PONG') return { outcome: 'ready' }
    const now = performance.now()
    if (answer.startsWith('LOADING')) {
      silentSince = now
      if (now >= nextLineAt) {
        onProgress('Redis: still reading the log of earlier runs')
        nextLineAt = now + LOADING_LINE_INTERVAL_MS
      }
    } else if (now - silentSince > SILENCE_LIMIT_MS) {
      return { outcome: 'silent', lastAnswer: answer }
    }
    await Promise.race([end, delay(TRY_INTERVAL_MS, undefined, { signal })])
  }
}

/** `PONG`, or the words of the error that came instead. */
async function ping(url: string): Promise<string> {
  try {
    return await askServer({ url, timeoutMs: PING_TIMEOUT_MS, ask: (client) => client.ping() })
  } catch (error) {
    return readErrorMessage(error)
  }
}
