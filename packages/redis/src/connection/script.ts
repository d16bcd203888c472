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

/** Reads a Lua file of this package; `prelude` names files that stand in front of it. */
function loadScript(name: string, prelude: readonly string[] = []): Script {
  const source = [...prelude, name].map((file) => readFileSync(new URL(`${file}.lua`, FOLDER), 'utf8')).join('\n')
  const keyCount = Number(/-(\d+)$/.exec(name)?.[1])
  return { name, keyCount, source, sha: createHash('sha1').update(source).digest('hex') }
}

/** Every step of this package. */
export const SCRIPTS = {
  recordCall: loadScript('record-call-4', ['append-events']),
  changeCall: loadScript('change-call-4', ['append-events']),
  readTrace: loadScript('read-trace-2'),
  claimKey: loadScript('claim-key-1'),
  releaseKey: loadScript('release-key-1'),
  voidCall: loadScript('void-call-1'),
  holdLease: loadScript('hold-lease-1'),
  dropLease: loadScript('drop-lease-1'),
}
