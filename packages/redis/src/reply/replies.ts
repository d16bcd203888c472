import { type CallLog, pendingRequests, type StopSignal } from '@synchub/core'
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
  /**
   * The call's end, or null when `signal` aborted first. Told over pub/sub; looked up at a pace, should that be lost, and at once
   * unless the call was made a moment ago.
   */
  wait(callId: string, signal: StopSignal, call?: { readonly isNew: boolean }): Promise<Ending | null>
  /** The call has ended in this process: whoever waits here for it looks now. */
  wake(callId: string): void
  close(): Promise<void>
}

const LOOK_MS = 1000
/** When a new call is first looked up: its end could only just have been told before anybody waited. */
const FIRST_LOOK_MS = 100

/** Somebody who waits for a call. */
interface Waiter {
  look(): void
  take(ending: Ending): void
}

/** Listens for the ends of the calls that this hub asked for. */
export async function listenForReplies(
  link: RedisLink,
  subscriptions: Subscriptions,
  log: CallLog,
  hubId: string,
): Promise<Replies> {
  const waiting = new Map<string, Set<Waiter>>()
  const wake = (callId: string) => {
    for (const waiter of waiting.get(callId) ?? []) waiter.look()
  }
  const onReply = (message: string) => {
    const { callId, ending } = decodeReply(message, (id) => waiting.has(id))
    if (ending === undefined) return wake(callId)
    for (const waiter of waiting.get(callId) ?? []) waiter.take(ending)
  }
  const unsubscribe = await subscriptions.add(link.keys.replyChannelPrefix + hubId, onReply)
  return {
    wait(callId, signal, { isNew } = { isNew: false }) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          const others = waiting.get(callId)
          others?.delete(waiter)
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
        const waiter = { look, take: (ending: Ending) => finish(() => resolve(ending)) }
        const lookAgain = () => {
          look()
          timer = setTimeout(lookAgain, LOOK_MS)
        }
        let timer = setTimeout(lookAgain, isNew ? FIRST_LOOK_MS : LOOK_MS)
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(callId, (waiting.get(callId) ?? new Set()).add(waiter))
        // It may have ended before anybody listened.
        if (!isNew) look()
      })
    },
    wake,
    close: unsubscribe,
  }
}

/** A reply: the callId, and behind it name and data of the ending where they are small enough. Read only where somebody waits. */
function decodeReply(message: string, isWaitedFor: (callId: string) => boolean): { callId: string; ending?: Ending } {
  const [callId = '', event, data] = message.split('\n')
  if (event === undefined || data === undefined || !isWaitedFor(callId)) return { callId }
  return { callId, ending: { event: event as EventName, data: JSON.parse(data) as JsonObject } }
}

async function readEnding(log: CallLog, callId: string): Promise<Ending | null> {
  const call = await log.find(callId)
  if (call === null) return null
  if (call.state !== 'awaiting_input' || call.question === undefined) return log.findEnding(call)
  return { event: 'input_requested', data: { inputRequests: pendingRequests(call.question) } }
}
