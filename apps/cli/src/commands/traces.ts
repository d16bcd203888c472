import { BAD_ENDINGS, isBadEnding, TRACE_STATES, type TraceState, type TraceSummary } from '@synchub/protocol'
import { type Command, Help } from 'commander'
import { parseCount } from '../input/count.js'
import { parseInstant } from '../input/duration.js'
import { parseStatesOf } from '../input/trace-states.js'
import type { ExitName } from '../outcome/exit-code.js'
import { UsageError } from '../outcome/failure.js'
import { cleanLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { flagWords } from './flag-words.js'
import { listPages } from './list-pages.js'
import { type ExplainedTrace, explainTraces } from './trace-cause.js'
import { declareTracesExport } from './traces-export.js'

interface TracesFlags {
  readonly state?: readonly TraceState[]
  readonly failed?: boolean
  readonly tool?: string
  readonly caller?: string
  readonly from?: string
  readonly to?: string
  readonly owner?: string
  readonly limit: number
  readonly cursor?: string
  readonly json?: boolean
}

type ListedTrace = TraceSummary & Partial<Pick<ExplainedTrace, 'rootCallId' | 'cause'>>

/** `synchub traces`: lists traces, newest first, or exports them. */
export function declareTraces(program: Command, run: RunCommand): void {
  const traces = program
    .command('traces')
    .description('List traces, newest first, or export them.')
    .addHelpText(
      'after',
      '\n"synchub traces" alone is "synchub traces list"; "synchub traces export" has options of its own.',
    )
    .addHelpText('after', examples('synchub traces --state running', 'synchub traces export --to archive --since 7d'))
  // A command of its own: both have options of the same names.
  const command = traces
    .command('list', { isDefault: true })
    .description(
      'List traces, newest first; "synchub traces" alone does so too. Where those are asked for that ended badly, the call to run again and the reason are shown.',
    )
    .option(
      '--state <states>',
      `only traces in one of these states: ${TRACE_STATES.join(', ')}`,
      parseStatesOf(TRACE_STATES),
    )
    .option('--failed', 'only traces that ended badly, in whichever way')
    .option('--tool <name>', 'only traces with a call of this tool')
    .option('--caller <agent>', 'only traces that this agent began')
    .option(
      '--since, --from <instant>',
      'only traces that began from this instant on: ISO 8601, or how long ago, such as 2h',
      parseInstant,
    )
    .option('--until, --to <instant>', 'only traces that began before this instant', parseInstant)
    .option('--owner <subject>', 'only traces of this owner')
    .option('--limit <count>', 'most traces to list', parseCount, 20)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option('--json', 'print one JSON object per trace')
    .addHelpText(
      'after',
      examples(
        'synchub traces --state running',
        'synchub traces --failed --since 2h',
        'synchub traces --state completed,tool_failed',
        'synchub traces --tool syncinsight_deep_research --from 2h',
        'synchub traces --limit 500 --json',
      ),
    )
  declareTracesExport(traces, run)
  // Only now: what is declared takes over how its parent shows its help.
  traces.configureHelp({ ...traces.configureHelp(), visibleOptions: () => new Help().visibleOptions(command) })
  command.action((flags: TracesFlags) => run(command, (context) => listTraces(context, flags)))
}

async function listTraces(context: CommandContext, flags: TracesFlags): Promise<ExitName> {
  const { limit, cursor, json, tool, caller, from, to, owner } = flags
  const states = wantedStates(flags)
  const client = context.client()
  const isBad = states?.every(isBadEnding) === true
  return listPages<ListedTrace>(context, {
    command: 'traces',
    goOn: (next) => flagWords({ ...flags, cursor: next }),
    limit,
    cursor,
    json,
    none: 'no trace matches',
    async page(part) {
      const page = await client.traces({ states, tool, caller, from, to, owner, ...part })
      return isBad ? { ...page, items: await explainTraces(client, page.items) } : page
    },
    table: isBad ? tableOfBad : tableOf,
  })
}

function wantedStates({ state, failed }: TracesFlags): readonly TraceState[] | undefined {
  if (failed !== true) return state
  if (state !== undefined) throw new UsageError('give either --failed or --state <states>')
  return BAD_ENDINGS
}

function tableOf(traces: readonly ListedTrace[]): string[] {
  const rows = traces.map(({ traceId, state, rootTool, caller, callCount, openCalls, updatedAt }) => {
    return [traceId, state, rootTool, caller, `${callCount - openCalls}/${callCount}`, updatedAt].map(cleanLine)
  })
  return layOutTable([['TRACE', 'STATE', 'TOOL', 'CALLER', 'ENDED', 'UPDATED'], ...rows])
}

/** Where the trace went wrong is told at the end of its row: a reason has no length that a column could have. */
function tableOfBad(traces: readonly ListedTrace[]): string[] {
  const rows = traces.map(({ traceId, state, rootTool, caller, updatedAt, rootCallId = '-', cause }) => {
    const why = cause === undefined ? '-' : `${nameTarget(cause)}: ${cause.reason}`
    return [traceId, state, rootTool, caller, updatedAt, rootCallId, why].map(cleanLine)
  })
  return layOutTable([['TRACE', 'STATE', 'TOOL', 'CALLER', 'UPDATED', 'CALL', 'WHY'], ...rows])
}

/** A call that was refused because no agent has its tool names no agent. */
function nameTarget({ agent, tool }: { readonly agent: string; readonly tool: string }): string {
  return agent === '' ? tool : `${agent}.${tool}`
}
