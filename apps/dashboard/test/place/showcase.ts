import { createClient } from '@synchub/client'
import { REPORT } from './agents.js'
import type { DashboardPlace } from './dashboard-place.js'
import { type Story, type StoryCall, tellStory } from './story.js'

const MINUTE_MS = 60_000

const simple = (tool: string, agent: string, ms: number, ending: StoryCall['ending']): StoryCall => ({
  name: 'root',
  tool,
  agent,
  beginsMs: 0,
  endsMs: ms,
  ending,
})

const DONE = { kind: 'complete' } as const

/** Wider than a panel, and with nothing in it to press. */
const TABLE = `| step | what_is_kept_meanwhile | when_it_is_given_up |
| --- | --- | --- |
| subscribe | new_events_in_a_buffer | after_thirty_seconds |
| read | the_cursor_of_each_watcher | never_while_someone_watches |
`

const REPORTED: StoryCall['ending'] = {
  kind: 'complete',
  content: [
    { type: 'text', text: 'Watchers resume by their cursor. The report is rep-1.' },
    { type: 'resource', resource: { uri: 'report://syncinsight/rep-1', mimeType: 'text/markdown', text: REPORT } },
    { type: 'resource', resource: { uri: 'report://syncinsight/rep-1/steps', mimeType: 'text/markdown', text: TABLE } },
  ],
  result: { reportId: 'rep-1', confidence: 0.82, sources: ['docs/PROTOCOL.md', 'docs/ARCHITECTURE.md'] },
}

function plan(traceId: string, beganMs: number): Story {
  const steps = [10, 25, 40, 55, 70, 85].map((progress, at) => ({
    atMs: 900 + at * 1900,
    progress,
    message:
      [
        'Reading docs/PROTOCOL.md',
        'Reading docs/ARCHITECTURE.md',
        'Round table: 3 positions',
        'Round table: objections',
        'Checking sources',
        'Writing the report',
      ][at] ?? '',
  }))
  return {
    traceId,
    caller: 'SyncVerse',
    beganMs,
    calls: [
      {
        name: 'plan',
        tool: 'plan_membership',
        agent: 'SyncVerse',
        beginsMs: 0,
        endsMs: 14_600,
        ending: DONE,
        arguments: { goal: 'Membership grades for the shop' },
      },
      {
        name: 'schema',
        parent: 'plan',
        tool: 'generate_schema',
        agent: 'SyncBoot',
        beginsMs: 320,
        endsMs: 540,
        ending: DONE,
      },
      {
        name: 'research',
        parent: 'plan',
        tool: 'deep_research',
        agent: 'SyncInsight',
        beginsMs: 400,
        attemptsMs: [620, 4300],
        progress: steps,
        endsMs: 12_400,
        ending: REPORTED,
        arguments: { question: 'How do watchers resume?', sources: ['docs', 'readme'] },
      },
      {
        name: 'source1',
        parent: 'research',
        tool: 'read_source',
        agent: 'Library',
        beginsMs: 4600,
        endsMs: 6100,
        ending: DONE,
      },
      {
        name: 'source2',
        parent: 'research',
        tool: 'read_source',
        agent: 'Library',
        beginsMs: 4700,
        endsMs: 7300,
        ending: { kind: 'failed', code: 'AGENT_UNAVAILABLE', reason: 'the agent Library refused the connection' },
      },
      {
        name: 'regression',
        parent: 'plan',
        tool: 'run_regression',
        agent: 'SyncETA',
        beginsMs: 8200,
        attemptsMs: [9400],
        progress: [{ atMs: 11_000, progress: 50, message: '12 of 24 cases' }],
        endsMs: 14_200,
        ending: DONE,
      },
    ],
  }
}

/** What of a filled place is worth a look. */
export interface Showcase {
  readonly planned: string
  /** A call of it that needed two attempts. */
  readonly retriedCallId: string
  readonly failedCallId: string
  /** A call of another trace of which somebody said what became of it. */
  readonly resolvedCallId: string
  readonly running: string
}

/** Fills a place with what an ordinary day leaves behind, and with work that goes on. */
export async function fillShowcase(place: DashboardPlace): Promise<Showcase> {
  const now = Date.now()
  const ago = (minutes: number) => now - minutes * MINUTE_MS
  const stories: Story[] = [
    plan('trace-membership-plan', ago(4)),
    {
      traceId: 'trace-night-suite',
      caller: 'CI',
      beganMs: ago(61),
      calls: [
        simple('run_regression', 'SyncETA', 94_000, {
          kind: 'failed',
          code: 'CONTRACT_BROKEN',
          reason: "the agent's result does not keep its schema: quantity must be a number",
        }),
      ],
    },
    {
      traceId: 'trace-order-export',
      caller: 'Shop',
      beganMs: ago(12),
      calls: [
        simple('export_orders', 'Warehouse', 31_000, {
          kind: 'unknown',
          code: 'OUTCOME_UNKNOWN',
          reason: 'the connection to Warehouse was lost after 31 s',
        }),
      ],
    },
    {
      traceId: 'trace-label-print',
      caller: 'Shop',
      beganMs: ago(19),
      calls: [
        simple('print_labels', 'Warehouse', 2400, {
          kind: 'complete',
          content: [{ type: 'text', text: 'printer 3 is out of paper: 12 of 40 labels were printed' }],
          isError: true,
        }),
      ],
    },
    {
      traceId: 'trace-stock-sync',
      caller: 'Shop',
      beganMs: ago(26),
      calls: [
        simple('sync_stock', 'Warehouse', 9000, {
          kind: 'unknown',
          code: 'OUTCOME_UNKNOWN',
          reason: 'the hub that made the call stopped before its answer',
        }),
      ],
    },
    {
      traceId: 'trace-index-change',
      caller: 'Console',
      beganMs: ago(33),
      calls: [
        simple('drop_index', 'SyncBoot', 0, {
          kind: 'refused',
          code: 'HITL_APPROVAL_REQUIRED',
          reason: 'Index modification detected on table tb_membership_grade',
        }),
      ],
    },
    {
      traceId: 'trace-long-report',
      caller: 'SyncVerse',
      beganMs: ago(47),
      calls: [
        simple('deep_research', 'SyncInsight', 185_000, {
          kind: 'cancelled',
          code: 'CANCELLED',
          reason: 'the call was cancelled: not needed any more',
        }),
      ],
    },
    ...Array.from(
      { length: 22 },
      (_, at): Story => ({
        traceId: `trace-${(48_213 + at * 37).toString(16)}-${['grades', 'orders', 'stock', 'audit'][at % 4]}`,
        caller: ['SyncVerse', 'Shop', 'CI', 'Console'][at % 4] ?? '',
        beganMs: ago(70 + at * 9),
        calls: [
          simple(
            ['generate_schema', 'deep_research', 'run_regression'][at % 3] ?? '',
            ['SyncBoot', 'SyncInsight', 'SyncETA'][at % 3] ?? '',
            140 + at * 977,
            DONE,
          ),
        ],
      }),
    ),
  ]
  let ids: ReadonlyMap<string, string> = new Map()
  for (const story of stories.toReversed()) ids = await tellStory(place, story)
  const client = createClient({ baseUrl: place.url, callerAgent: 'SyncVerse' })
  const research = (stepMs: number, traceId: string) =>
    client.start(
      'deep_research',
      { question: 'How does a watcher resume without a gap?', sources: ['docs'], steps: 400, stepMs },
      { traceId },
    )
  await research(900, 'trace-live-research')
  await research(1500, 'trace-live-survey')
  const { items } = await client.deadLetters({ tool: 'sync_stock' })
  for (const { callId } of items) await client.resolve(callId, { reason: 'All 214 items were written: see ticket 88.' })
  await client.call('generate_schema', { domainName: 'MembershipGrade' }, { traceId: 'trace-live-research' })
  return {
    planned: 'trace-membership-plan',
    retriedCallId: ids.get('research') ?? '',
    failedCallId: ids.get('source2') ?? '',
    resolvedCallId: items[0]?.callId ?? '',
    running: 'trace-live-research',
  }
}
