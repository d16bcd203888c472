import type { Reconnect, TraceReset, WatchItem } from '@synchub/client'
import { EVENT_NAMES, type EventName } from '@synchub/protocol'
import { type Command, InvalidArgumentError } from 'commander'
import type { ExitName } from '../outcome/exit-code.js'
import { Interrupted } from '../outcome/failure.js'
import { createTraceRenderer, type TraceRenderer } from '../render/trace-renderer.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { parseTraceId } from './call.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { flagWords } from './flag-words.js'
import { contactHub } from './hub-contact.js'
import { exitOfTrace, printTraceResult } from './trace-result.js'

interface WatchFlags {
  readonly after?: string
  readonly follow?: boolean
  readonly call?: string
  readonly event?: readonly EventName[]
  readonly owner?: string
  readonly result?: boolean
  readonly json?: boolean
}

/** `synchub watch`: shows the events of a trace, live and from its beginning. */
export function declareWatch(program: Command, run: RunCommand): void {
  const command = program
    .command('watch')
    .argument('<traceId>', 'the trace to watch', parseTraceId)
    .description(
      'Show the events of a trace: those it has, then those to come, until it has ended. Ends as the calls did that began it.',
    )
    .option('--after <id>', 'go on after the event with this id')
    .option('--follow', 'never end, and wait for a trace that does not exist yet')
    .option('--call <callId>', 'only the events of this call')
    .option('--event <names>', 'only events of these names, separated by commas', parseEventNames)
    .option('--owner <subject>', 'whose trace, where several owners have one of this name')
    .option('--result', 'print what it came to once it has ended, and where a browser shows it')
    .option('--json', 'print one JSON object per event')
    .addHelpText(
      'after',
      examples(
        'synchub watch demo',
        'synchub watch demo --result',
        'synchub watch demo --call 0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10 --result',
        'synchub watch demo --follow',
        'synchub watch demo --event progress,complete --json | jq .data.progress',
        'synchub watch demo --after 12-8f03a1c2',
      ),
    )
  command.action((traceId: string, flags: WatchFlags) => run(command, (context) => watchTrace(context, traceId, flags)))
}

function parseEventNames(text: string): readonly EventName[] {
  return text.split(',').map((name) => {
    const event = EVENT_NAMES.find((known) => known === name.trim())
    if (event === undefined) throw new InvalidArgumentError(`Known events: ${EVENT_NAMES.join(', ')}.`)
    return event
  })
}

async function watchTrace(context: CommandContext, traceId: string, flags: WatchFlags): Promise<ExitName> {
  const client = await contactHub(context)
  const { stream, colors, live } = context.out
  const json = flags.json === true
  const renderer = createTraceRenderer(stream, { color: colors.isColorSupported, live: live && !json })
  const abort = new AbortController()
  const stopListening = context.interrupts.listen(() => abort.abort())
  let cursor = flags.after
  try {
    const items = client.watch(traceId, {
      after: flags.after,
      callId: flags.call,
      events: flags.event,
      follow: flags.follow,
      owner: flags.owner,
      signal: abort.signal,
      onReconnect: (reconnect) => noteReconnect(context, renderer, reconnect),
    })
    for await (const item of items) {
      cursor = item.id
      if (json) context.out.line(jsonLine(lineOfItem(item)))
      else showItem(renderer, item)
    }
  } finally {
    stopListening()
    renderer.close()
  }
  if (!abort.signal.aborted) {
    const trace = await client.trace(traceId, { owner: flags.owner })
    if (flags.result === true) await printTraceResult(context, client, trace, flags)
    return exitOfTrace(client, trace, flags.call)
  }
  const again = context.commandLine('watch', traceId, ...flagWords({ ...flags, after: cursor }))
  throw new Interrupted(`Stopped watching; the calls go on. Go on watching with: ${again}`)
}

function lineOfItem(item: WatchItem): unknown {
  const { id } = item
  if (item.kind === 'event') return { id, event: item.event, data: item.data }
  return { id, event: 'reset', data: { reason: item.reason, snapshot: item.snapshot } }
}

function showItem(renderer: TraceRenderer, item: WatchItem): void {
  if (item.kind === 'event') {
    renderer.show(item)
    return
  }
  renderer.clear()
  renderer.note(describeReset(item))
}

function describeReset({ reason, snapshot }: TraceReset): string {
  if (snapshot === null) return `the trace is gone (${reason}); events show when it begins anew`
  const { lastSeq, state } = snapshot
  return `events up to #${lastSeq} cannot all be shown (${reason}); the trace is ${state} and goes on after them`
}

function noteReconnect({ err, out }: CommandContext, renderer: TraceRenderer, { reason, delayMs }: Reconnect): void {
  const line = `${cleanLine(reason.reason)}; trying again in ${(delayMs / 1000).toFixed(1)} s`
  // On a terminal the bars would be torn by a line that they do not know of; in a pipe the output holds events alone.
  if (out.live) renderer.note(line)
  else err.line(line)
}
