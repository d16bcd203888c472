import { readArchiveFile } from '@synchub/archive'
import { type PlayOptions, type ReplaySpeed, replayArchive, type TraceEventItem } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import { type Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../input/duration.js'
import type { ExitName } from '../outcome/exit-code.js'
import { Interrupted, UsageError } from '../outcome/failure.js'
import { asFileFailure } from '../outcome/file-failure.js'
import { createTraceRenderer } from '../render/trace-renderer.js'
import { jsonLine } from '../terminal/clean-text.js'
import { parseTraceId } from './call.js'
import type { CommandContext, RunCommand } from './command.js'
import { examples } from './examples.js'
import { flagWords } from './flag-words.js'
import { contactHub } from './hub-contact.js'

interface ReplayFlags {
  readonly speed: ReplaySpeed
  readonly from?: string
  readonly maxGap?: number
  readonly owner?: string
  readonly json?: boolean
}

/** `synchub replay`: plays a recorded trace. */
export function declareReplay(program: Command, run: RunCommand): void {
  const command = program
    .command('replay')
    .argument('<traceId|file>', 'the trace to play, or a file of synchub traces export (.ndjson)', parsePlayed)
    .description('Play a recorded trace with its own timing, from a hub or from a file. Nothing is executed.')
    .option(
      '--speed <speed>',
      'times as fast as it was recorded, such as 10, or max for no pauses',
      parseSpeed,
      DEFAULT_SPEED,
    )
    .option('--from <id>', 'begin with the event of this id')
    .option(
      '--max-gap <duration>',
      'the longest pause between two events, such as 5s; a minute by default',
      parseDuration,
    )
    .option('--owner <subject>', 'whose trace, where several owners have one of this name')
    .option('--json', 'print one JSON object per event')
    .addHelpText(
      'after',
      examples(
        'synchub replay demo',
        'synchub replay demo --speed 10 --max-gap 2s',
        'synchub replay demo --speed max --json | jq .event',
        'synchub replay demo --from 12-8f03a1c2',
        'synchub replay archive/20260131T120000Z_local_demo_12.ndjson --speed 10',
      ),
    )
  command.action((played: string, flags: ReplayFlags) => run(command, (context) => replay(context, played, flags)))
}

const ARCHIVE_SUFFIX = '.ndjson'
/** As fast as it was recorded. */
const DEFAULT_SPEED = 1

function parsePlayed(text: string): string {
  return text.endsWith(ARCHIVE_SUFFIX) ? text : parseTraceId(text)
}

function parseSpeed(text: string): ReplaySpeed {
  if (text === 'max') return text
  const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : 0
  if (speed > 0 && Number.isFinite(speed)) return speed
  throw new InvalidArgumentError('Give a number above 0, such as 1, 10 or 0.5, or max.')
}

async function replay(context: CommandContext, played: string, flags: ReplayFlags): Promise<ExitName> {
  // A file needs no hub.
  const client = played.endsWith(ARCHIVE_SUFFIX) ? null : await contactHub(context)
  const { stream, colors, live } = context.out
  const json = flags.json === true
  const renderer = createTraceRenderer(stream, { color: colors.isColorSupported, live: live && !json })
  const abort = new AbortController()
  const stopListening = context.interrupts.listen(() => abort.abort())
  let place = flags.from
  try {
    const { speed, from, owner, maxGap: maxGapMs } = flags
    const options = { speed, from, maxGapMs, signal: abort.signal }
    const items = client === null ? playFile(played, options) : client.replay(played, { ...options, owner })
    for await (const item of items) {
      place = item.id
      if (json) context.out.line(jsonLine({ id: item.id, event: item.event, data: item.data }))
      else renderer.show(item)
    }
  } finally {
    stopListening()
    renderer.close()
  }
  if (!abort.signal.aborted) return 'ok'
  const again = context.commandLine('replay', played, ...flagWords(givenAgain(flags, place)))
  throw new Interrupted(`Stopped the replay. Go on with: ${again}`)
}

function givenAgain({ speed, maxGap, owner, json }: ReplayFlags, from: string | undefined) {
  const maxGapText = maxGap === undefined ? undefined : `${maxGap}ms`
  return { from, speed: speed === DEFAULT_SPEED ? undefined : String(speed), 'max-gap': maxGapText, owner, json }
}

/** Plays an archive; what is wrong with it is told with its name. */
async function* playFile(file: string, options: PlayOptions): AsyncGenerator<TraceEventItem, undefined> {
  try {
    yield* replayArchive(readArchiveFile(file), options)
  } catch (thrown) {
    if (thrown instanceof HubError) {
      throw new UsageError(`${file}: ${thrown.reason}. ${thrown.details.nextStep ?? ''}`.trim(), { cause: thrown })
    }
    throw asFileFailure(thrown, `${file}: cannot be read`)
  }
}
