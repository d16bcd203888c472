import type { DeadLetterFilter } from '@synchub/client'
import type { DeadLetterView } from '@synchub/protocol'
import { type Command, Option } from 'commander'
import { parseCount } from '../input/count.js'
import { parseInstant } from '../input/duration.js'
import type { ExitName } from '../outcome/exit-code.js'
import { cleanLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { flagWords } from './flag-words.js'
import { listPages } from './list-pages.js'

interface DeadLettersFlags extends Omit<DeadLetterFilter, 'limit'> {
  readonly limit: number
  readonly json?: boolean
}

/** `synchub dead-letters`: lists calls that wait for a person. */
export function declareDeadLetters(program: Command, run: RunCommand): void {
  const command = program
    .command('dead-letters')
    .description('List calls whose outcome nobody knows, or whose agent was never reached; the last first.')
    .option('--resolved', 'those of which somebody has said what became of them')
    .addOption(new Option('--state <state>', 'only calls that ended so').choices(['unknown', 'failed']))
    .option('--agent <name>', 'only calls to this agent')
    .option('--tool <name>', 'only calls of this tool')
    .option('--caller <agent>', 'only calls by this agent')
    .option('--owner <subject>', 'only calls of this owner')
    .option(
      '--since, --from <instant>',
      'only calls that ended from this instant on: ISO 8601, or how long ago',
      parseInstant,
    )
    .option('--until, --to <instant>', 'only calls that ended before this instant', parseInstant)
    .option('--limit <count>', 'most calls to list', parseCount, 20)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .option('--json', 'print one JSON object per call')
    .addHelpText(
      'after',
      examples(
        'synchub dead-letters',
        'synchub dead-letters --agent SyncETA --from 24h',
        'synchub dead-letters --resolved --json',
      ),
    )
  command.action((flags: DeadLettersFlags) => run(command, (context) => listDeadLetters(context, flags)))
}

function listDeadLetters(context: CommandContext, flags: DeadLettersFlags): Promise<ExitName> {
  const { limit, cursor, json, ...filter } = flags
  const client = context.client()
  return listPages(context, {
    command: 'dead-letters',
    goOn: (next) => flagWords({ ...flags, cursor: next }),
    limit,
    cursor,
    json,
    none: filter.resolved === true ? 'none was resolved' : 'no call waits for a person',
    page: (part) => client.deadLetters({ ...filter, ...part }),
    table: tableOf,
  })
}

function tableOf(calls: readonly DeadLetterView[]): string[] {
  const rows = calls.map(({ callId, state, agent, tool, owner, endedAt, error, resolution }) => {
    const why = resolution === undefined ? (error?.data.detail ?? '') : `${resolution.by}: ${resolution.reason}`
    return [callId, state, `${agent}.${tool}`, owner, endedAt ?? '', why].map(cleanLine)
  })
  // A list holds either those that wait or those that were resolved.
  const why = calls.some(({ resolution }) => resolution !== undefined) ? 'RESOLVED' : 'WHY'
  return layOutTable([['CALL', 'STATE', 'TOOL', 'OWNER', 'ENDED', why], ...rows])
}
