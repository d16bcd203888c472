import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** One atomic step: a Lua file, whose name ends in the number of its keys. */
export interface Script {
  readonly name: string
  readonly keyCount: number
  readonly source: string
  /** SHA-1 of the source, as EVALSHA wants it. */
  readonly sha: string
}

const FOLDER = new URL('../../lua/', import.meta.url)

/** First line of a step that Redis runs also when its memory is full: what has happened must be recorded. */
const EVEN_WHEN_FULL = '#!lua flags=allow-oom\n'

/** Reads a Lua file of this package; `before` and `after` name files that stand around it. */
function loadScript(
  name: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  firstLine = '',
): Script {
  const text = [...before, name, ...after].map((file) => readFileSync(new URL(`${file}.lua`, FOLDER), 'utf8'))
  const source = firstLine + text.join('\n')
  const keyCount = Number(/-(\d+)$/.exec(name)?.[1])
  return { name, keyCount, source, sha: createHash('sha1').update(source).digest('hex') }
}

/** Every step of this package. */
export const SCRIPTS = {
  recordCall: loadScript('record-call-4', ['append-events']),
  recordChild: loadScript('record-child-6', ['append-events'], ['record-call-4']),
  recordKeyedCall: loadScript('record-call-4', ['append-events', 'fence-claim']),
  recordKeyedChild: loadScript('record-child-6', ['append-events', 'fence-claim'], ['record-call-4']),
  changeCall: loadScript('change-call-4', ['append-events']),
  endCall: loadScript('change-call-4', ['append-events'], [], EVEN_WHEN_FULL),
  resolveCall: loadScript('resolve-call-4', ['append-events'], [], EVEN_WHEN_FULL),
  readTrace: loadScript('read-trace-2'),
  removeTrace: loadScript('remove-trace-3', [], [], EVEN_WHEN_FULL),
  cutTrace: loadScript('cut-trace-3', [], [], EVEN_WHEN_FULL),
  moveEnded: loadScript('move-ended-1', [], [], EVEN_WHEN_FULL),
  claimKey: loadScript('claim-key-1'),
  releaseKey: loadScript('release-key-1'),
  extendKey: loadScript('extend-key-1'),
  endKey: loadScript('end-key-1', [], [], EVEN_WHEN_FULL),
  voidCall: loadScript('void-call-1'),
  holdLease: loadScript('hold-lease-1'),
  dropLease: loadScript('drop-lease-1'),
  writeCatalogue: loadScript('write-catalogue-1'),
  holdCall: loadScript('hold-call-2'),
  takePlace: loadScript('take-place-3'),
  shiftRounds: loadScript('shift-rounds-2'),
}
