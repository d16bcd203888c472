import { writeArchive } from '@synchub/archive'
import type { Client } from '@synchub/client'
import { HubError, TRACE_STATE_ORDER, type TraceState } from '@synchub/protocol'
import type { Command } from 'commander'
import { hubSource } from '../export/hub-source.js'
import { parseInstant } from '../input/duration.js'
import { parseStatesOf } from '../input/trace-states.js'
import type { ExitName } from '../outcome/exit-code.js'
import { Interrupted } from '../outcome/failure.js'
import { asFileFailure } from '../outcome/file-failure.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { parseTraceId } from './call.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { contactHub } from './hub-contact.js'

interface ExportFlags {
  readonly to: string
  readonly since?: string
  readonly until?: string
  readonly state?: readonly TraceState[]
  readonly owner?: string
  readonly json?: boolean
}

/** Traces that are asked for at a time. */
const PAGE_SIZE = 100

/** `synchub traces export`: writes ended traces into a folder. */
export function declareTracesExport(traces: Command, run: RunCommand): void {
  const command = traces
    .command('export')
    .argument('[traceId...]', 'the traces to export; all that match by default', collectTraceIds)
    .description('Write ended traces into a folder, a file each (NDJSON), which synchub replay plays without a hub.')
    .requiredOption('--to <folder>', 'the folder; what is there is not written again')
    .option(
      '--since <instant>',
      'only traces from this instant on: ISO 8601, or how long ago, such as 2d',
      parseInstant,
    )
    .option('--until <instant>', 'only traces before this instant', parseInstant)
    .option(
      '--state <states>',
      `only traces that ended in one of these states: ${TRACE_STATE_ORDER.join(', ')}`,
      parseStatesOf(TRACE_STATE_ORDER),
    )
    .option('--owner <subject>', 'only traces of this owner')
    .option('--json', 'print one JSON object per trace')
    .addHelpText(
      'after',
      examples(
        'synchub traces export --to archive --since 7d',
        'synchub traces export demo --to archive',
        'synchub replay archive/20260131T120000Z_local_demo_12.ndjson --speed 10',
      ),
    )
  command.action((traceIds: readonly string[], flags: ExportFlags) =>
    run(command, (context) => exportTraces(context, traceIds, flags)),
  )
}

function collectTraceIds(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parseTraceId(text)]
}

async function exportTraces(
  context: CommandContext,
  traceIds: readonly string[],
  flags: ExportFlags,
): Promise<ExitName> {
  const client = await contactHub(context)
  let isStopped = false
  const stopListening = context.interrupts.listen(() => {
    isStopped = true
  })
  const counts = { written: 0, known: 0, running: 0, gone: 0 }
  try {
    for await (const trace of traceIds.length === 0 ? listed(client, flags) : named(traceIds, flags)) {
      if (isStopped) break
      const outcome = await exportTrace(context, client, trace, flags)
      counts[outcome]++
    }
  } finally {
    stopListening()
  }
  context.err.line(describeCounts(counts))
  if (isStopped) throw new Interrupted('Stopped the export. The same command goes on with it.')
  return 'ok'
}

interface NamedTrace {
  readonly traceId: string
  readonly owner: string | undefined
  readonly isListed: boolean
}

type Outcome = 'written' | 'known' | 'running' | 'gone'

async function* listed(
  client: Client,
  { since, until, state: states, owner }: ExportFlags,
): AsyncGenerator<NamedTrace> {
  let cursor: string | undefined
  do {
    const page = await client.traces({
      from: since,
      to: until,
      states,
      owner,
      cursor,
      limit: PAGE_SIZE,
    })
    for (const { traceId, owner: whose } of page.items) yield { traceId, owner: whose, isListed: true }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

function* named(traceIds: readonly string[], { owner }: ExportFlags): Generator<NamedTrace> {
  for (const traceId of traceIds) yield { traceId, owner, isListed: false }
}

async function exportTrace(
  { out }: CommandContext,
  client: Client,
  { traceId, owner, isListed }: NamedTrace,
  { to, json }: ExportFlags,
): Promise<Outcome> {
  try {
    const view = await client.trace(traceId, { owner })
    if (view.state === 'running') return 'running'
    const { file, isNew } = await writeArchive(to, hubSource(client, view), new Date().toISOString())
    out.line(json === true ? jsonLine({ traceId, owner: view.owner, file, isNew }) : cleanLine(file))
    return isNew ? 'written' : 'known'
  } catch (thrown) {
    // Listed, and removed by retention before its turn came.
    if (isListed && thrown instanceof HubError && thrown.code === 'NOT_FOUND') return 'gone'
    throw asFileFailure(thrown, `--to ${to}: cannot be written`)
  }
}

function describeCounts({ written, known, running, gone }: Readonly<Record<Outcome, number>>): string {
  const parts = [`${written} written`]
  if (known > 0) parts.push(`${known} there already`)
  if (running > 0) parts.push(`${running} still running`)
  if (gone > 0) parts.push(`${gone} not there`)
  return parts.join(', ')
}
