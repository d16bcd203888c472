import { InvalidDomain } from '../schema/refusal.js'
import type { ColumnType, ValueSpace } from './column-type.js'
import { countCharacters, isLiteralText, LITERAL_RULE, quoteText } from './literal.js'
import type { DefaultValue, PrintedDefault } from './printed-default.js'
import { namesTheCurrentTime, readTemporal, type TemporalRules } from './temporal-default.js'

/** Longest default, in characters. */
export const MAX_DEFAULT_CHARS = 255

const WHOLE = /^-?[0-9]{1,40}$/
const DECIMAL = /^(-?)([0-9]{1,1000})(?:\.([0-9]{1,1000}))?$/
const FLOAT = /^-?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,4})?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TRUTH = new Map<DefaultValue, string>([
  [true, 'TRUE'],
  [1, 'TRUE'],
  ['1', 'TRUE'],
  ['true', 'TRUE'],
  [false, 'FALSE'],
  [0, 'FALSE'],
  ['0', 'FALSE'],
  ['false', 'FALSE'],
])

/**
 * Turns a default into SQL text. Every text printed here is a number of a checked form, a keyword, or a literal whose quotes
 * are doubled, so no default can carry SQL. Equal defaults get equal texts (`0` and `0.00` in DECIMAL(5,2)), which is how a
 * later call tells whether one changed.
 * @throws InvalidDomain that says what fits the type
 */
export function readDefault(value: DefaultValue, type: ColumnType, rules: TemporalRules, path: string): string {
  if (!type.takesDefault) {
    throw new InvalidDomain(path, `left out: a ${type.sql} column takes no default`)
  }
  if (typeof value === 'string' && value.length > MAX_DEFAULT_CHARS) {
    throw new InvalidDomain(path, `at most ${MAX_DEFAULT_CHARS} characters long`)
  }
  const read = print(value, type.values, rules)
  if ('sql' in read) return read.sql
  throw new InvalidDomain(path, `${read.expected}, as its type ${type.sql} demands`)
}

function print(value: DefaultValue, values: ValueSpace, rules: TemporalRules): PrintedDefault {
  switch (values.kind) {
    case 'integer':
      return printInteger(digitsOf(value), values.min, values.max)
    case 'year':
      return printInteger(digitsOf(value), 1901n, 2155n)
    case 'decimal':
      return printDecimal(digitsOf(value), values)
    case 'float':
      return printFloat(value, values.bits)
    case 'boolean': {
      const truth = TRUTH.get(typeof value === 'string' ? value.toLowerCase() : value)
      return truth === undefined ? { expected: 'true or false' } : { sql: truth }
    }
    case 'text':
      return printText(value, values.maxChars)
    case 'choice':
      return typeof value === 'string' && values.members.includes(value)
        ? { sql: quoteText(value) }
        : { expected: 'one of the members' }
    case 'uuid':
      return typeof value === 'string' && UUID.test(value)
        ? { sql: quoteText(value.toLowerCase()) }
        : { expected: 'a UUID of 36 characters' }
    case 'json':
      return typeof value === 'string' && isLiteralText(value) && isJson(value)
        ? { sql: quoteText(value) }
        : { expected: `a JSON text, and ${LITERAL_RULE}` }
    case 'date':
    case 'time':
    case 'timestamp':
      return readTemporal(value, values, rules)
    case 'binary':
      return { expected: 'left out' }
  }
}

/** The digits of a number; undefined for what is none, or what JavaScript has already rounded. */
function digitsOf(value: DefaultValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

function printInteger(digits: string | undefined, min: bigint, max: bigint): PrintedDefault {
  if (digits !== undefined && WHOLE.test(digits)) {
    const whole = BigInt(digits)
    if (whole >= min && whole <= max) return { sql: String(whole) }
  }
  return { expected: `a whole number from ${min} to ${max} (a string beyond 2^53)` }
}

function printDecimal(
  digits: string | undefined,
  { precision, scale = 0 }: { precision?: number; scale?: number },
): PrintedDefault {
  const parts = digits === undefined ? null : DECIMAL.exec(digits)
  const bounds =
    precision === undefined ? '' : ` of at most ${precision - scale} digits before the point and ${scale} after it`
  if (parts === null) return { expected: `a decimal number${bounds}` }
  const [, minus = '', before = '', after = ''] = parts
  const whole = before.replace(/^0+(?=[0-9])/, '')
  if (precision !== undefined && (after.length > scale || (whole === '0' ? 0 : whole.length) > precision - scale)) {
    return { expected: `a decimal number${bounds}` }
  }
  const fraction = precision === undefined ? after : after.padEnd(scale, '0')
  const number = fraction === '' ? whole : `${whole}.${fraction}`
  return { sql: /[1-9]/.test(number) ? `${minus}${number}` : number }
}

function printFloat(value: DefaultValue, bits: 32 | 64): PrintedDefault {
  const number = typeof value === 'number' || FLOAT.test(String(value)) ? Number(value) : Number.NaN
  const stored = bits === 32 ? Math.fround(number) : number
  if (!Number.isFinite(stored)) return { expected: `a number that fits ${bits} bits` }
  // `+ 0` turns -0 into 0; a number too small for the type is 0 in it.
  return { sql: String(stored === 0 ? 0 : number + 0) }
}

function printText(value: DefaultValue, maxChars: number | undefined): PrintedDefault {
  const bounds = maxChars === undefined ? '' : ` of at most ${maxChars} characters`
  if (typeof value !== 'string' || !isLiteralText(value)) return { expected: `a string${bounds}, ${LITERAL_RULE}` }
  if (maxChars !== undefined && countCharacters(value) > maxChars) return { expected: `a string${bounds}` }
  // Quoted it would be a text that reads like the function: whoever writes this wants a date or time type.
  if (namesTheCurrentTime(value)) return { expected: 'a text; CURRENT_TIMESTAMP belongs to date and time types' }
  return { sql: quoteText(value) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
