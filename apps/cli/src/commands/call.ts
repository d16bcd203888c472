import { isTraceId, type JsonObject, TRACE_ID_RULE } from '@synchub/protocol'
import { type Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../input/duration.js'
import { readToolArguments } from '../input/tool-arguments.js'
import type { ExitName } from '../outcome/exit-code.js'
import { reportOutcome, reportStarted } from './call-outcome.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { contactHub } from './hub-contact.js'

interface CallFlags {
  readonly trace?: string
  readonly key?: string
  readonly agent?: string
  readonly timeout?: number
  readonly detach?: boolean
  readonly json?: boolean
}

/** `synchub call`: calls a tool, shows its progress and prints its result. */
export function declareCall(program: Command, run: RunCommand): void {
  const command = program
    .command('call <tool> [arguments...]')
    .description('Call a tool, show its progress and print its result.')
    .option('--trace <id>', 'put the call into this trace', parseTraceId)
    .option('--key <key>', 'idempotency key: the same key is never done twice')
    .option('--agent <name>', 'the agent to ask, where several have a tool of this name')
    .option(
      '--timeout <duration>',
      'how long to wait for the outcome, such as 30s; the call goes on after it',
      parseDuration,
    )
    .option('--detach', 'return as soon as the hub has the call')
    .option('--json', 'print one JSON object per line')
  command.addHelpText(
    'after',
    `
Arguments of the tool: one JSON object, "-" (JSON on standard input), "@file" (JSON in a file),
or pairs: key=text and key:=json.
${examples(
  "synchub call syncinsight_deep_research question='Why Redis?' sources:='[\"docs\"]'",
  'synchub call syncboot_generate_schema @membership-grade.json --trace demo',
  'echo \'{"a":1}\' | synchub call some_tool - --timeout 30s --json',
  'synchub call slow_tool --detach',
)}`,
  )
  command.action((tool: string, words: string[], flags: CallFlags) => {
    return run(command, async (context) => {
      const args = await readToolArguments(words, context.stdin)
      return flags.detach === true ? detach(context, tool, args, flags) : await waitForCall(context, tool, args, flags)
    })
  })
}

/** Reads a traceId. @throws InvalidArgumentError */
export function parseTraceId(text: string): string {
  if (isTraceId(text)) return text
  throw new InvalidArgumentError(`A traceId is ${TRACE_ID_RULE}.`)
}

function identityOf({ trace, key, agent }: CallFlags) {
  return { traceId: trace, idempotencyKey: key, targetAgent: agent }
}

async function detach(context: CommandContext, tool: string, args: JsonObject, flags: CallFlags): Promise<ExitName> {
  const client = await contactHub(context)
  return reportStarted(context, await client.start(tool, args, identityOf(flags)), flags.json === true)
}

async function waitForCall(
  context: CommandContext,
  tool: string,
  args: JsonObject,
  flags: CallFlags,
): Promise<ExitName> {
  const client = await contactHub(context)
  return reportOutcome(context, tool, flags.json === true, (wait) =>
    client.call(tool, args, {
      ...identityOf(flags),
      timeoutMs: flags.timeout,
      signal: wait.signal,
      onAccepted: (ids) => wait.accept(ids),
      onProgress: (progress) => wait.show(progress),
    }),
  )
}
