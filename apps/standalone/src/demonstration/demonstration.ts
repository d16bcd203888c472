import type { TextStream } from '@synchub/cli'
import { type Client, createClient } from '@synchub/client'
import { type CallNode, type CallView, HubError, isJsonObject } from '@synchub/protocol'
import { DEMONSTRATION_PLAN } from './plan.js'
import { showTrace } from './trace-show.js'

/** Where the demonstration plays and is shown. */
export interface DemonstrationOptions {
  readonly url: string
  readonly stream: TextStream
  readonly signal: AbortSignal
}

/** What the demonstration leaves behind. */
export interface Demonstration {
  readonly traceId: string
}

const AGENTS_WAIT_MS = 15_000
const LOOK_AGAIN_MS = 200
/** Checks of readiness that the demonstration cannot do without; agents of the user's own may come later. */
const NEEDED = ['agent SyncBoot', 'agent SyncInsight', 'agent SyncETA', 'agent SyncVerse']

/**
 * Has SyncVerse run a plan over all four agents: SyncBoot makes the schema of S0.4, SyncInsight researches this repository's own
 * documents, SyncETA tests this very hub. What is shown comes from the real event stream of the trace.
 * @throws HubError when the plan cannot be run; the signal's reason when it aborted
 */
export async function playDemonstration({ url, stream, signal }: DemonstrationOptions): Promise<Demonstration> {
  const client = createClient({ baseUrl: url, callerAgent: 'Demonstration' })
  await waitForAgents(client, signal)
  const traceId = `trace-sv-${new Date()
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14)}`
  stream.write(`\nDemonstration: SyncVerse delegates to SyncBoot, SyncInsight and SyncETA under ${traceId}\n\n`)
  const watching = new AbortController()
  const shown = showTrace({ client, traceId, stream, signal: AbortSignal.any([signal, watching.signal]) })
  try {
    await client.call('syncverse_run_plan', DEMONSTRATION_PLAN, { traceId, signal })
    await shown
    for (const { callId } of await callsBelow(client, traceId)) {
      stream.write(`\n${summarize(await client.getCall(callId, { signal }))}\n`)
    }
  } finally {
    watching.abort()
    await shown
  }
  return { traceId }
}

/** The calls that SyncVerse made, as the trace has them. */
async function callsBelow(client: Client, traceId: string): Promise<readonly CallNode[]> {
  const { calls } = await client.trace(traceId)
  return calls.flatMap(({ children }) => children)
}

async function waitForAgents(client: Client, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + AGENTS_WAIT_MS
  for (;;) {
    const { ready, checks } = await client.ready({ signal })
    const missing = checks.filter(({ name, ok }) => !ok && NEEDED.includes(name))
    if (ready && missing.length === 0) return
    if (performance.now() > deadline) {
      const reasons = missing.map(({ name, detail }) => `${name}: ${detail ?? 'not ready'}`)
      throw new HubError('AGENT_UNAVAILABLE', reasons.join('; '))
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** What a person wants to see of a call: its text, and the schema where there is one. */
function summarize({ agent, state, executionTimeMs, content = [] }: CallView): string {
  const lines = content.flatMap((item) => {
    if (!isJsonObject(item)) return []
    if (item.type === 'text') return [String(item.text)]
    const { resource } = item
    return isJsonObject(resource) && resource.mimeType === 'application/sql' ? [String(resource.text)] : []
  })
  const heading = `${agent} (${executionTimeMs === undefined ? state : `${executionTimeMs} ms`})`
  return [heading, ...lines.flatMap((text) => text.split('\n'))].join('\n  ')
}
