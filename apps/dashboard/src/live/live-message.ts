import type { TraceChange, TraceEventItem } from '@synchub/client'
import type { TraceView } from '@synchub/protocol'
import type { Failure } from '../hub/failure.js'

/** How the browser's connection to the hub stands. */
export type LiveState =
  /** The first connection is being made. */
  | { readonly kind: 'connecting' }
  /** Everything that changes is heard of. */
  | { readonly kind: 'live' }
  /** Lost; asked again at this instant, in ms since 1970. */
  | { readonly kind: 'lost'; readonly retryAtMs: number; readonly failure: Failure }
  /** Given up: the hub wants something else first, such as a sign-in. */
  | { readonly kind: 'refused'; readonly failure: Failure }

/** What a tab says to the engine that all tabs share. */
export type TabMessage =
  /** Watch a trace; `watch` is the tab's own number for it. */
  | { readonly kind: 'watch'; readonly watch: number; readonly traceId: string; readonly owner?: string | undefined }
  | { readonly kind: 'unwatch'; readonly watch: number }
  /** The computer may have slept: see whether the connections live. */
  | { readonly kind: 'wake' }
  /** Somebody signed in or out: begin anew. */
  | { readonly kind: 'restart' }
  /** Name of a lock that the tab holds while it lives. */
  | { readonly kind: 'hello'; readonly lock: string }
  | { readonly kind: 'bye' }

/** What the engine says to a tab. */
export type EngineMessage =
  | { readonly kind: 'state'; readonly state: LiveState }
  /** Traces that stand otherwise, each once. */
  | { readonly kind: 'changes'; readonly changes: readonly TraceChange[] }
  /** Changes may have been missed: the list tells. */
  | { readonly kind: 'resync' }
  /** The trace as it stands; its events from here on follow. */
  | { readonly kind: 'snapshot'; readonly watch: number; readonly trace: TraceView }
  | { readonly kind: 'events'; readonly watch: number; readonly events: readonly TraceEventItem[] }
  | { readonly kind: 'failed'; readonly watch: number; readonly failure: Failure }
