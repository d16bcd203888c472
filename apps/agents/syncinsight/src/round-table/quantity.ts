import { isStopWord } from '../language/stop-words.js'
import { termsOf } from '../language/words.js'

/** What a quantity measures; values are compared within one kind only. */
type QuantityKind = 'duration' | 'size' | 'share' | 'date' | 'version' | 'number'

/** A quantity in a sentence. */
export interface Quantity {
  readonly kind: QuantityKind
  /** In ms, bytes or percent; as written for dates and versions. */
  readonly value: number | string
  /** As it stands in the sentence. */
  readonly raw: string
  /** For plain numbers: the nearest words before and after it, which say what is counted. */
  readonly about: readonly string[]
}

/** A sentence's quantities, and the sentence without them. */
export interface QuantityReading {
  readonly quantities: readonly Quantity[]
  readonly rest: string
}

const UNITS: Readonly<Record<string, readonly [QuantityKind, number]>> = {
  ms: ['duration', 1],
  밀리초: ['duration', 1],
  s: ['duration', 1_000],
  초: ['duration', 1_000],
  min: ['duration', 60_000],
  분: ['duration', 60_000],
  h: ['duration', 3_600_000],
  시간: ['duration', 3_600_000],
  d: ['duration', 86_400_000],
  일: ['duration', 86_400_000],
  week: ['duration', 604_800_000],
  주: ['duration', 604_800_000],
  b: ['size', 1],
  바이트: ['size', 1],
  kb: ['size', 1e3],
  kib: ['size', 2 ** 10],
  mb: ['size', 1e6],
  mib: ['size', 2 ** 20],
  gb: ['size', 1e9],
  gib: ['size', 2 ** 30],
  '%': ['share', 1],
  퍼센트: ['share', 1],
}
const UNIT_NAMES: Readonly<Record<string, string>> = {
  millisecond: 'ms',
  msec: 'ms',
  second: 's',
  sec: 's',
  minute: 'min',
  hour: 'h',
  hr: 'h',
  day: 'd',
  byte: 'b',
  kilobyte: 'kb',
  megabyte: 'mb',
  gigabyte: 'gb',
  percent: '%',
}
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

const LATIN_UNIT = `(?:${[...Object.keys(UNIT_NAMES).map((name) => `${name}s?`), 'ms', 's', 'mins?', 'h', 'd', 'weeks?', 'B', '[KMG]i?B', 'kB'].join('|')})(?![\\p{L}\\p{N}])`
const OTHER_UNIT = '%|밀리초|초|분|시간|일|주|바이트|퍼센트'
const NUMERAL = `[-+]?\\d[\\d,]*(?:\\.\\d+)?|(?:${NUMBER_WORDS.join('|')})(?![\\p{L}\\p{N}])`
/** Not within a name such as `S0.4`, `v2` or `tb_3`. */
const QUANTITY = new RegExp(
  `(?<![\\p{L}\\p{N}_.:/-])(?:(?<date>\\d{4}-\\d{2}-\\d{2})|(?<version>\\d+\\.\\d+\\.\\d+)|(?<numeral>${NUMERAL})(?:[\\s-]?(?<unit>${LATIN_UNIT}|${OTHER_UNIT}))?)(?![\\d_]|\\.\\d)`,
  'giu',
)
/** "Section 5" points somewhere and counts nothing. */
const POINTER = /(?:section|chapter|step|figure|table|page|line|item|appendix|issue|invariant|rule|no\.|§|#)\s*$/i

/** Reads the quantities of a sentence in English or Korean: "10 s", "10 seconds", "10,000 ms" and "10초" are the same. */
export function readQuantities(sentence: string): QuantityReading {
  const quantities: Quantity[] = []
  let rest = ''
  let end = 0
  for (const match of sentence.matchAll(QUANTITY)) {
    rest += `${sentence.slice(end, match.index)} `
    end = match.index + match[0].length
    const before = sentence.slice(0, match.index)
    if (!POINTER.test(before)) quantities.push(quantityOf(match, before, sentence.slice(end)))
  }
  return { quantities, rest: rest + sentence.slice(end) }
}

function quantityOf(match: RegExpMatchArray, before: string, after: string): Quantity {
  const raw = match[0].trim()
  const { date, version, numeral = '', unit } = match.groups ?? {}
  if (date !== undefined) return { kind: 'date', value: date, raw, about: [] }
  if (version !== undefined) return { kind: 'version', value: version, raw, about: [] }
  const value = numberOf(numeral)
  const known = unit === undefined ? undefined : UNITS[baseUnit(unit)]
  if (known !== undefined) return { kind: known[0], value: value * known[1], raw, about: [] }
  return { kind: 'number', value, raw, about: neighbours(before, after) }
}

function numberOf(numeral: string): number {
  const place = NUMBER_WORDS.indexOf(numeral.toLowerCase())
  return place === -1 ? Number(numeral.replaceAll(',', '')) : place + 2
}

function baseUnit(unit: string): string {
  const lower = unit.toLowerCase()
  const singular = lower.length > 2 && lower.endsWith('s') && lower !== 'ms' ? lower.slice(0, -1) : lower
  return UNIT_NAMES[singular] ?? singular
}

function neighbours(before: string, after: string): string[] {
  const next = /^\s*([\p{L}_]+)/u.exec(after)?.[1]
  const words = before.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
  const previous = words.slice(-4).findLast((word) => !isStopWord(word) && !/^\d/.test(word))
  return [
    ...(next === undefined || isStopWord(next) ? [] : [`after:${termsOf(next)[0] ?? next}`]),
    ...(previous === undefined ? [] : [`before:${termsOf(previous)[0] ?? previous}`]),
  ]
}
