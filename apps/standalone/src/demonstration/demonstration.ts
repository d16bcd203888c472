import { createTraceRenderer } from '@synchub/cli'
import { type Client, createClient } from '@synchub/client'
import { type CallResult, HubError } from '@synchub/protocol'

/** Where the demonstration plays and is shown. */
export interface DemonstrationOptions {
  readonly url: string
  readonly stream: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** What the demonstration leaves behind. */
export interface Demonstration {
  readonly traceId: string
}

const AGENTS_WAIT_MS = 15_000
const LOOK_AGAIN_MS = 200
/** Checks of readiness that the demonstration cannot do without; agents of the user's own may come later. */
const NEEDED = ['agent SyncBoot', 'agent SyncInsight']

/** The example call of contract S0.4. */
const SCHEMA_ARGUMENTS = {
  domainName: 'MembershipGrade',
  fields: [
    { name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true },
    { name: 'discountRate', type: 'DECIMAL(5,2)', nullable: false, defaultValue: '0.00' },
    { name: 'minSpentAmount', type: 'BIGINT', nullable: false, defaultValue: '0' },
  ],
  enableAuditing: true,
}

const RESEARCH_ARGUMENTS = {
  question: 'How does a watcher that lost its connection resume a trace without missing an event?',
  sources: ['readme', 'docs', 'packages'],
}

/**
 * SyncVerse's part, played by `npm start`: under one traceId SyncBoot makes the schema of S0.4 and SyncInsight researches this
 * repository's own documents. What is shown comes from the real event stream of the trace.
 * @throws HubError when a call fails; the signal's reason when it aborted
 */
export async function playDemonstration({ url, stream, signal }: DemonstrationOptions): Promise<Demonstration> {
  const client = createClient({ baseUrl: url, callerAgent: 'SyncVerse' })
  await waitForAgents(client, signal)
  const traceId = `trace-sv-${new Date()
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14)}`
  stream.write(`\nDemonstration: SyncVerse delegates to SyncBoot and SyncInsight under ${traceId}\n\n`)
  const watching = new AbortController()
  const shown = showTrace(client, traceId, stream, AbortSignal.any([signal, watching.signal]))
  try {
    const identity = { traceId, signal }
    const [schema, research] = await Promise.all([
      client.call('syncboot_generate_schema', SCHEMA_ARGUMENTS, identity),
      client.call('syncinsight_deep_research', RESEARCH_ARGUMENTS, identity),
    ])
    await shown
    stream.write(`\n${summarize('SyncBoot', schema)}\n\n${summarize('SyncInsight', research)}\n`)
  } finally {
    watching.abort()
    await shown
  }
  return { traceId }
}

/** Draws the trace until both calls have ended and the stream says so. */
async function showTrace(
  client: Client,
  traceId: string,
  stream: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<void> {
  const renderer = createTraceRenderer(stream)
  const open = new Set<string>()
  let calls = 0
  try {
    // Subscribed before the first call exists: following waits for the trace to appear.
    for await (const item of client.watch(traceId, { follow: true, signal })) {
      if (item.kind !== 'event') continue
      renderer.show(item)
      const { callId } = item.data
      if (item.event === 'received') {
        open.add(callId)
        calls += 1
      } else if (item.event === 'complete' || 'error' in item.data) open.delete(callId)
      if (calls === 2 && open.size === 0) return
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    renderer.close()
  }
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

/** What a person wants to see of a result: its text, and the schema where there is one. */
function summarize(agent: string, { content, _meta: { executionTimeMs } }: CallResult): string {
  const lines = content.flatMap((item) => {
    if (item.type === 'text' && 'text' in item) return [String(item.text)]
    const resource = 'resource' in item ? item.resource : undefined
    const isSql =
      typeof resource === 'object' &&
      resource !== null &&
      'mimeType' in resource &&
      resource.mimeType === 'application/sql'
    return isSql && 'text' in resource ? [String(resource.text)] : []
  })
  return [`${agent} (${executionTimeMs} ms)`, ...lines.flatMap((text) => text.split('\n'))].join('\n  ')
}
