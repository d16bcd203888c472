import type { TraceFilter, TracePage } from '@synchub/client'
import { ENDED_STATES, type TraceState, type TraceSummary } from '@synchub/protocol'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseInstant } from '../input/duration.js'
import type { ExitName } from '../outcome/exit-code.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { declareTracesExport } from './traces-export.js'

interface TracesFlags {
  readonly state?: TraceState
  readonly tool?: string
  readonly caller?: string
  readonly from?: string
  readonly to?: string
  readonly owner?: string
  readonly limit: number
  readonly cursor?: string
  readonly json?: boolean
}

/** Most traces that are asked for at a time. */
const PAGE_SIZE = 100

/** `synchub traces`: lists traces, newest first, or exports them. */
export function declareTraces(program: Command, run: RunCommand): void {
  const traces = program
    .command('traces')
    .description('List traces, newest first, or export them.')
    .addHelpText('after', examples('synchub traces --state running', 'synchub traces export --to archive --since 7d'))
  // A command of its own: both have options of the same names.
  const command = traces
    .command('list', { isDefault: true })
    .description('List traces, newest first; "synchub traces" alone does so too.')
    .addOption(new Option('--state <state>', 'only traces in this state').choices(['running', ...ENDED_STATES]))
    .option('--tool <name>', 'only traces with a call of this tool')
    .option('--caller <agent>', 'only traces with a call by this agent')
    .option('--from <instant>', 'only traces from this instant on: ISO 8601, or how long ago, such as 2h', parseInstant)
    .option('--to <instant>', 'only traces before this instant', parseInstant)
    .option('--owner <subject>', 'only traces of this owner')
    .option('--limit <count>', 'most traces to list', parseCount, 20)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option('--json', 'print one JSON object per trace')
    .addHelpText(
      'after',
      examples(
        'synchub traces --state running',
        'synchub traces --tool syncinsight_deep_research --from 2h',
        'synchub traces --limit 500 --json',
      ),
    )
  declareTracesExport(traces, run)
  command.action((flags: TracesFlags) => run(command, (context) => listTraces(context, flags)))
}

/** Reads how many items a list may show. */
export function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 100_000) return count
  throw new InvalidArgumentError('Give a whole number from 1 to 100000.')
}

async function listTraces(context: CommandContext, flags: TracesFlags): Promise<ExitName> {
  const { out, err } = context
  const { state, tool, caller, from, to, owner, limit, json } = flags
  const client = context.client()
  const filter: TraceFilter = { state, tool, caller, from, to, owner }
  let cursor = flags.cursor
  let left = limit
  let page: TracePage
  do {
    page = await client.traces({ ...filter, cursor, limit: Math.min(left, PAGE_SIZE) })
    // Each page stands for itself, so that a long list begins at once and none is held whole.
    if (json === true) for (const trace of page.items) out.line(jsonLine(trace))
    else if (page.items.length > 0) for (const line of tableOf(page.items)) out.line(line)
    left -= page.items.length
    cursor = page.nextCursor
  } while (cursor !== undefined && left > 0)
  if (left === limit && json !== true) err.line('no trace matches')
  if (cursor !== undefined)
    err.line(`more: ${context.commandLine('traces', '--cursor', cleanLine(cursor))} and the same filters`)
  return 'ok'
}

function tableOf(traces: readonly TraceSummary[]): string[] {
  const rows = traces.map(({ traceId, state, rootTool, caller, callCount, openCalls, updatedAt }) => {
    return [traceId, state, rootTool, caller, `${callCount - openCalls}/${callCount}`, updatedAt].map(cleanLine)
  })
  return layOutTable([['TRACE', 'STATE', 'TOOL', 'CALLER', 'ENDED', 'UPDATED'], ...rows])
}
