import { setTimeout as delay } from 'node:timers/promises'
import { HubError } from '@synchub/protocol'

/** What a run access token is asked for. */
export interface AccessParts {
  /** The newest token of this work. */
  readonly accessToken: () => string | undefined
  readonly signal: AbortSignal
  /** How long a newer token is waited for, in ms. Default 30 000: longer than work goes on that nobody waits for. */
  readonly patienceMs?: number
}

const LOOK_AGAIN_MS = 100

/**
 * Does `work`, and again where the hub no longer took its access token and a newer one has come. Between the moment when the hub opens
 * another attempt and the moment when that attempt joins this work the token is one of the past; that is no failure of the work.
 */
export async function withRenewedAccess<T>(
  work: () => Promise<T>,
  { accessToken, signal, patienceMs = 30_000 }: AccessParts,
): Promise<T> {
  for (;;) {
    const shown = accessToken()
    try {
      return await work()
    } catch (thrown) {
      if (!(thrown instanceof HubError) || thrown.code !== 'UNAUTHENTICATED') throw thrown
      const deadlineMs = performance.now() + patienceMs
      while (accessToken() === shown) {
        if (performance.now() > deadlineMs) throw thrown
        await delay(LOOK_AGAIN_MS, undefined, { signal })
      }
    }
  }
}
