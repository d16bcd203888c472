import type { ColumnType, Footprint, ValueSpace } from '../column-type.js'
import { countCharacters, isLiteralText, LITERAL_RULE, quoteText } from '../literal.js'
import { isBare, readDigits, readLength, type TypeRule, type TypeTable } from '../type-table.js'

/** utf8mb4, MySQL's own default: every bound in characters is a quarter of the one in bytes. */
const BYTES_PER_CHARACTER = 4
const MAX_VARCHAR_CHARS = 16_383
const MAX_ENUM_MEMBERS = 255

/** The types that SyncBoot knows in MySQL 8 and MariaDB. */
export const MYSQL_TYPES: TypeTable = {
  title: 'MySQL',
  rules: [
    ...integers(['TINYINT', 'INT1'], 1),
    ...integers(['SMALLINT', 'INT2'], 2),
    ...integers(['MEDIUMINT', 'MIDDLEINT', 'INT3'], 3),
    ...integers(['INT', 'INTEGER', 'INT4'], 4),
    ...integers(['BIGINT', 'INT8'], 8),
    {
      names: ['DECIMAL', 'DEC', 'NUMERIC', 'FIXED'],
      usage: 'DECIMAL(p,s) with p from 1 to 65 and s from 0 to 30, s at most p',
      build(parameters) {
        const digits = readDigits(parameters, 65, 30)
        if (digits === undefined) return undefined
        const sql = `DECIMAL(${digits.precision},${digits.scale})`
        return type(sql, { kind: 'decimal', ...digits }, fixed(decimalBytes(digits.precision, digits.scale)))
      },
    },
    plain(['FLOAT', 'FLOAT4'], { kind: 'float', bits: 32 }, 4),
    plain(['DOUBLE', 'DOUBLE PRECISION', 'FLOAT8', 'REAL'], { kind: 'float', bits: 64 }, 8),
    {
      names: ['BOOLEAN', 'BOOL'],
      usage: 'BOOLEAN without parameters',
      build: (parameters) => (isBare(parameters) ? BOOLEAN : undefined),
    },
    {
      names: ['CHAR', 'CHARACTER'],
      usage: 'CHAR(n) with n from 1 to 255',
      build(parameters) {
        const maxChars = readLength(parameters, 1, 255, 1)
        if (maxChars === undefined) return undefined
        const bytes = fixed(maxChars * BYTES_PER_CHARACTER)
        return type(`CHAR(${maxChars})`, { kind: 'text', padded: true, maxChars }, bytes)
      },
    },
    {
      names: ['VARCHAR', 'CHARACTER VARYING', 'CHAR VARYING'],
      usage: `VARCHAR(n) with n from 1 to ${MAX_VARCHAR_CHARS}`,
      build(parameters) {
        const maxChars = readLength(parameters, 1, MAX_VARCHAR_CHARS)
        if (maxChars === undefined) return undefined
        const bytes = varying(maxChars * BYTES_PER_CHARACTER)
        return type(`VARCHAR(${maxChars})`, { kind: 'text', padded: false, maxChars }, bytes)
      },
    },
    {
      names: ['BINARY'],
      usage: 'BINARY(n) with n from 1 to 255',
      build(parameters) {
        const maxBytes = readLength(parameters, 1, 255, 1)
        if (maxBytes === undefined) return undefined
        return type(`BINARY(${maxBytes})`, { kind: 'binary', padded: true, maxBytes }, fixed(maxBytes), false)
      },
    },
    {
      names: ['VARBINARY'],
      usage: 'VARBINARY(n) with n from 1 to 65532',
      build(parameters) {
        const maxBytes = readLength(parameters, 1, 65_532)
        if (maxBytes === undefined) return undefined
        return type(`VARBINARY(${maxBytes})`, { kind: 'binary', padded: false, maxBytes }, varying(maxBytes), false)
      },
    },
    large('TINYTEXT', { kind: 'text', padded: false, maxChars: 63 }),
    large('TEXT', { kind: 'text', padded: false, maxChars: MAX_VARCHAR_CHARS }),
    large('MEDIUMTEXT', { kind: 'text', padded: false, maxChars: 4_194_303 }),
    large('LONGTEXT', { kind: 'text', padded: false, maxChars: 1_073_741_823 }),
    large('TINYBLOB', { kind: 'binary', padded: false, maxBytes: 255 }),
    large('BLOB', { kind: 'binary', padded: false, maxBytes: 65_535 }),
    large('MEDIUMBLOB', { kind: 'binary', padded: false, maxBytes: 16_777_215 }),
    large('LONGBLOB', { kind: 'binary', padded: false, maxBytes: 4_294_967_295 }),
    large('JSON', { kind: 'json', binary: true }),
    plain(['DATE'], { kind: 'date' }, 3),
    plain(['YEAR'], { kind: 'year' }, 1),
    timed('TIME', 6, (fractionDigits) => ({ kind: 'time', fractionDigits })),
    timed('DATETIME', 8, (fractionDigits) => ({ kind: 'timestamp', zoned: false, fractionDigits })),
    timed('TIMESTAMP', 7, (fractionDigits) => ({ kind: 'timestamp', zoned: true, fractionDigits })),
    {
      names: ['ENUM'],
      usage: `ENUM('a','b') with 1 to ${MAX_ENUM_MEMBERS} different members of 1 to 255 characters, each ${LITERAL_RULE}, not ending in a space`,
      build: ({ numbers, texts }) => (numbers.length === 0 && areMembers(texts) ? enumOf(texts) : undefined),
    },
  ],
}

function type(sql: string, values: ValueSpace, footprint: Footprint, takesDefault = true): ColumnType {
  return { sql, values, footprint, takesDefault }
}

const BOOLEAN = type('BOOLEAN', { kind: 'boolean' }, fixed(1))

function integers(names: readonly [string, ...string[]], bytes: number): TypeRule[] {
  const bits = BigInt(bytes * 8)
  const signed: ValueSpace = { kind: 'integer', min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n }
  const unsigned: ValueSpace = { kind: 'integer', min: 0n, max: (1n << bits) - 1n }
  const [own] = names
  return [
    {
      names,
      usage: `${own} without a display width`,
      build(parameters) {
        // MySQL's BOOLEAN is TINYINT(1); every other display width is deprecated and says nothing about the values.
        if (own === 'TINYINT' && parameters.numbers[0] === 1 && parameters.numbers.length === 1) return BOOLEAN
        return isBare(parameters) ? type(own, signed, fixed(bytes)) : undefined
      },
    },
    plain([`${own} UNSIGNED`, ...names.slice(1).map((name) => `${name} UNSIGNED`)], unsigned, bytes),
  ]
}

function plain(names: readonly [string, ...string[]], values: ValueSpace, bytes: number): TypeRule {
  const only = type(names[0], values, fixed(bytes))
  return {
    names,
    usage: `${names[0]} without parameters`,
    build: (parameters) => (isBare(parameters) ? only : undefined),
  }
}

/** Types kept outside the row: no default and no index without a prefix length. */
function large(name: string, values: ValueSpace): TypeRule {
  const only = type(name, values, { rowBytes: 12 }, false)
  return {
    names: [name],
    usage: `${name} without parameters`,
    build: (parameters) => (isBare(parameters) ? only : undefined),
  }
}

function timed(name: string, bytes: number, values: (fractionDigits: number) => ValueSpace): TypeRule {
  return {
    names: [name],
    usage: `${name} or ${name}(f) with f from 0 to 6 digits of a second's fraction`,
    build(parameters) {
      const digits = readLength(parameters, 0, 6, 0)
      if (digits === undefined) return undefined
      return type(digits === 0 ? name : `${name}(${digits})`, values(digits), fixed(bytes))
    },
  }
}

function enumOf(members: readonly string[]): ColumnType {
  return type(`ENUM(${members.map(quoteText).join(',')})`, { kind: 'choice', members }, fixed(2))
}

/** MySQL compares members without regard to case and to spaces at the end. */
function areMembers(texts: readonly string[]): boolean {
  if (texts.length === 0 || texts.length > MAX_ENUM_MEMBERS) return false
  if (new Set(texts.map((text) => text.toLowerCase())).size !== texts.length) return false
  return texts.every(
    (text) => text !== '' && !text.endsWith(' ') && isLiteralText(text) && countCharacters(text) <= 255,
  )
}

function fixed(bytes: number): Footprint {
  return { rowBytes: bytes, keyBytes: bytes }
}

function varying(bytes: number): Footprint {
  return { rowBytes: bytes + 2, keyBytes: bytes }
}

/** MySQL packs nine digits into four bytes, on each side of the point. */
function decimalBytes(precision: number, scale: number): number {
  const side = (digits: number): number => Math.floor(digits / 9) * 4 + Math.ceil((digits % 9) / 2)
  return side(precision - scale) + side(scale)
}
