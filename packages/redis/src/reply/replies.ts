import { type CallLog, pendingRequests } from '@synchub/core'
import { type EventName, HubError, type JsonObject } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import type { Subscriptions } from '../connection/subscriptions.js'

/** How a call ended, or, as `input_requested`, what is asked before it goes on. */
export interface Ending {
  readonly event: EventName
  readonly data: JsonObject
}

/** Waits for the ends of calls. */
export interface Replies {
  /** The call's end, or null when `signal` aborted first. Told over pub/sub; looked up at a pace, should that be lost. */
  wait(callId: string, signal: AbortSignal): Promise<Ending | null>
  close(): Promise<void>
}

const LOOK_MS = 1000

/** Listens for the ends of the calls that this hub asked for. */
export async function listenForReplies(
  link: RedisLink,
  subscriptions: Subscriptions,
  log: CallLog,
  hubId: string,
): Promise<Replies> {
  const waiting = new Map<string, Set<() => void>>()
  const wake = (callId: string) => {
    for (const look of waiting.get(callId) ?? []) look()
  }
  const unsubscribe = await subscriptions.add(link.keys.replyChannelPrefix + hubId, wake)
  return {
    wait(callId, signal) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearInterval(timer)
          signal.removeEventListener('abort', onAbort)
          const others = waiting.get(callId)
          others?.delete(look)
          if (others?.size === 0) waiting.delete(callId)
          settle()
        }
        const onAbort = () => finish(() => resolve(null))
        const look = () => {
          readEnding(log, callId).then(
            (ending) => {
              if (ending !== null) finish(() => resolve(ending))
            },
            (thrown: unknown) => {
              // The call goes on while the store is away, and so does the wait.
              const isAway = thrown instanceof HubError && thrown.code === 'HUB_UNAVAILABLE'
              if (!isAway) finish(() => reject(thrown))
            },
          )
        }
        const timer = setInterval(look, LOOK_MS)
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(callId, (waiting.get(callId) ?? new Set()).add(look))
        // It may have ended before anybody listened.
        look()
      })
    },
    close: unsubscribe,
  }
}

async function readEnding(log: CallLog, callId: string): Promise<Ending | null> {
  const call = await log.find(callId)
  if (call === null) return null
  if (call.state !== 'awaiting_input' || call.question === undefined) return log.findEnding(call)
  return { event: 'input_requested', data: { inputRequests: pendingRequests(call.question) } }
}
