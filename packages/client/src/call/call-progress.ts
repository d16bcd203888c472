import { isJsonObject, type JsonObject, type ProgressData } from '@synchub/protocol'
import type { CallIds, CallOptions } from './call-options.js'

/** What is known of a call while it is waited for. It outlives each connection, so that nothing is told twice. */
export class CallProgress {
  callId: string | undefined
  traceId: string | undefined
  /** Id of the last event seen: where a watch goes on. */
  cursor: string | undefined
  /** The hub has said that an earlier request with the same key began the call. */
  isReplayed = false
  #lastSeq = 0
  readonly #listeners: Pick<CallOptions, 'onProgress' | 'onAccepted'>

  constructor(listeners: Pick<CallOptions, 'onProgress' | 'onAccepted'>) {
    this.#listeners = listeners
  }

  /** Takes the ids from whatever names them first: headers, an event, an error's details. */
  learn({ callId, traceId }: { readonly [Name in keyof CallIds]?: unknown }): void {
    if (this.callId !== undefined || typeof callId !== 'string' || typeof traceId !== 'string') return
    this.callId = callId
    this.traceId = traceId
    this.#listeners.onAccepted?.({ callId, traceId })
  }

  /** Passes a progress on, unless it was seen before. */
  report(data: JsonObject | ProgressData): void {
    if (!isProgress(data) || data.seq <= this.#lastSeq) return
    this.#lastSeq = data.seq
    this.#listeners.onProgress?.(data)
  }

  /** The ids, as details of an error. */
  get ids(): { readonly callId?: string; readonly traceId?: string; readonly replayed?: true } {
    const { callId, traceId, isReplayed } = this
    if (callId === undefined || traceId === undefined) return {}
    return { callId, traceId, ...(isReplayed ? { replayed: isReplayed } : {}) }
  }
}

function isProgress(data: unknown): data is ProgressData {
  return isJsonObject(data) && typeof data.seq === 'number' && typeof data.progress === 'number'
}
