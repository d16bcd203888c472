import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type AgentOptions,
  createLineLogger,
  defineAgent,
  definePrompt,
  defineResource,
  defineTool,
  serveAgent,
} from '@synchub/agent-sdk'
import type { JsonObject } from '@synchub/protocol'

/** Agents that work in steps of a length that a test chooses. */
export interface StepAgents {
  /** For the configuration of a hub. */
  readonly agents: Readonly<Record<string, JsonObject>>
  stop(): Promise<void>
}

const RESEARCH_SCHEMA: JsonObject = {
  type: 'object',
  required: ['question'],
  properties: {
    question: { type: 'string', title: 'Question', minLength: 3, description: 'What to find out' },
    sources: { type: 'array', title: 'Sources', items: { type: 'string' }, description: 'Where to look' },
    depth: { type: 'integer', title: 'Depth', minimum: 1, maximum: 5, default: 2 },
    steps: { type: 'integer', title: 'Steps', default: 4 },
    stepMs: { type: 'integer', title: 'Step length (ms)', default: 300 },
  },
}

const SCHEMA_SCHEMA: JsonObject = {
  type: 'object',
  required: ['domainName'],
  properties: {
    domainName: { type: 'string', title: 'Domain', pattern: '^[A-Z]' },
    fields: {
      type: 'array',
      title: 'Fields',
      maxItems: 2,
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name' },
          type: { enum: ['bigint', 'varchar(20)', 'date'], title: 'Type', default: 'bigint' },
          nullable: { type: 'boolean', title: 'Nullable', default: true },
        },
      },
    },
    enableAuditing: { type: 'boolean', title: 'Auditing', description: 'Adds created_at and updated_at.' },
    storage: { type: 'object', title: 'Storage', description: 'Options of the table, by their names.' },
    note: {},
  },
}

/** A report as agents write them, with what must never run or load. */
export const REPORT = `# Findings

Watchers **resume** by their cursor: the hub checks that the very entry exists.

| step | what happens |
| --- | --- |
| 1 | subscribe |
| 2 | read the log |

- nothing is lost
- nothing is doubled

<script>document.title = 'hacked'</script>
[a link](https://example.com/) and ![a picture](https://example.com/tracker.png)
`

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Starts a researcher, whose tool takes steps and writes a report, and an architect, whose tool answers at once. */
export async function startStepAgents(): Promise<StepAgents> {
  const research = defineTool({
    name: 'deep_research',
    title: 'Deep research',
    description: 'Looks into sources, lets the findings be debated and writes a report.',
    inputSchema: RESEARCH_SCHEMA,
    streams: true,
    async handler({ question, steps = 4, stepMs = 300 }: JsonObject, { progress, signal }) {
      for (let step = 1; step <= Number(steps); step++) {
        await delay(Number(stepMs), undefined, { signal })
        progress({ progress: step, total: Number(steps), message: `Reading source ${step} of ${String(steps)}` })
      }
      return {
        content: [
          { type: 'text', text: `Answered: ${String(question)}` },
          { type: 'resource', resource: { uri: 'report://rep-1', mimeType: 'text/markdown', text: REPORT } },
          { type: 'image', mimeType: 'image/png', data: PIXEL },
        ],
        structuredContent: { reportId: 'rep-1', confidence: 0.82, sources: ['docs', 'readme'] },
      }
    },
  })
  const schema = defineTool({
    name: 'generate_schema',
    title: 'Generate a schema',
    description: 'Makes the SQL of a domain.',
    inputSchema: SCHEMA_SCHEMA,
    handler: ({ domainName, ...design }: JsonObject) => ({
      content: [{ type: 'text', text: `create table tb_${String(domainName).toLowerCase()} (id bigint primary key);` }],
      structuredContent: { design },
    }),
  })
  const reports = defineResource({
    uri: 'report://syncinsight/{reportId}',
    name: 'Research reports',
    description: 'A report with its citations.',
    mimeType: 'text/markdown',
    list: () => ({ entries: [{ variables: { reportId: 'rep-1' }, name: 'How watchers resume' }] }),
    read: () => REPORT,
  })
  const weekly = definePrompt({
    name: 'weekly_report',
    title: 'Weekly report',
    description: 'Sums up what is new about a topic this week.',
    arguments: [
      { name: 'topic', description: 'What the report is about.', required: true },
      { name: 'sources', description: 'Names of sources, separated by commas.' },
    ],
    write: ({ topic = '' }) => [
      {
        role: 'user',
        content: {
          type: 'text',
          text: `Write the weekly report on ${topic}.\n\n<img src=x onerror="document.title='hacked'">`,
        },
      },
    ],
  })
  const [researcher, architect] = await Promise.all([
    serve('SyncInsight', { tools: [research], resources: [reports], prompts: [weekly] }),
    serve('SyncBoot', { tools: [schema] }),
  ])
  const policy = { safeToRepeat: true, trust: 'internal' }
  return {
    agents: {
      SyncInsight: { url: researcher.url, mode: 'queued', concurrency: 20, ...policy },
      SyncBoot: { url: architect.url, mode: 'direct', ...policy },
      SyncETA: { url: 'http://127.0.0.1:1', mode: 'queued', trust: 'external' },
    },
    async stop() {
      await Promise.all([researcher.stop(), architect.stop()])
    },
  }
}

async function serve(name: string, offers: Pick<AgentOptions, 'tools' | 'resources' | 'prompts'>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-dashboard-agent-'))
  const logger = createLineLogger({ write: () => undefined })
  const agent = defineAgent({ name, version: '1.0.0', ...offers })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 0, stopAbortMs: 50 })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
