import type { Command } from 'commander'
import { parseDuration } from '../input/duration.js'
import type { ExitName } from '../outcome/exit-code.js'
import { parseTraceId } from './call.js'
import { reportOutcome, reportStarted } from './call-outcome.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { contactHub } from './hub-contact.js'

interface RerunFlags {
  readonly wait?: boolean
  readonly trace?: string
  readonly key?: string
  readonly timeout?: number
  readonly json?: boolean
}

/** `synchub rerun`: runs a call again, as whoever asks. */
export function declareRerun(program: Command, run: RunCommand): void {
  const command = program
    .command('rerun <callId>')
    .description('Run a call again, with its tool and arguments, as yourself and in a new trace.')
    .option('--wait', 'show its progress and print its result')
    .option('--trace <id>', 'put the new call into this trace', parseTraceId)
    .option('--key <key>', 'idempotency key: the same key is never done twice')
    .option(
      '--timeout <duration>',
      'with --wait: how long to wait, such as 30s; the call goes on after it',
      parseDuration,
    )
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      examples(
        'synchub rerun 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10',
        'synchub rerun 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --wait --timeout 5m',
      ),
    )
  command.action((callId: string, flags: RerunFlags) => run(command, (context) => rerunCall(context, callId, flags)))
}

async function rerunCall(context: CommandContext, callId: string, flags: RerunFlags): Promise<ExitName> {
  const client = await contactHub(context)
  const json = flags.json === true
  const started = await client.rerun(callId, { traceId: flags.trace, idempotencyKey: flags.key })
  if (flags.wait !== true) return reportStarted(context, started, json)
  const { tool } = await client.getCall(started.callId)
  return reportOutcome(context, tool, json, (wait) => {
    wait.accept(started)
    return client.wait(started, {
      timeoutMs: flags.timeout,
      signal: wait.signal,
      onProgress: (progress) => wait.show(progress),
    })
  })
}
