import { createTraceRenderer, type TextStream } from '@synchub/cli'
import type { Client } from '@synchub/client'
import { isTerminalEvent } from '@synchub/protocol'

/** What is shown where. */
export interface TraceShow {
  readonly client: Client
  readonly traceId: string
  readonly stream: TextStream
  /** Ends it early, quietly. */
  readonly signal: AbortSignal
}

/** Draws a trace from its first call, which may be yet to come, until all of its calls have ended. */
export async function showTrace({ client, traceId, stream, signal }: TraceShow): Promise<void> {
  const renderer = createTraceRenderer(stream)
  const open = new Set<string>()
  try {
    // Subscribed before the first call exists: following waits for the trace to appear.
    for await (const item of client.watch(traceId, { follow: true, signal })) {
      if (item.kind !== 'event') continue
      renderer.show(item)
      if (isTerminalEvent(item.event)) open.delete(item.data.callId)
      else open.add(item.data.callId)
      if (open.size === 0) return
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    renderer.close()
  }
}
