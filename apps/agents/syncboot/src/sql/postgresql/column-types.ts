import type { ColumnType, ValueSpace } from '../column-type.js'
import { isBare, readDigits, readLength, type TypeRule, type TypeTable } from '../type-table.js'

const MAX_TEXT_CHARS = 10_485_760

/** The types that SyncBoot knows in PostgreSQL. There is no ENUM: PostgreSQL's is a type of its own, not part of a table. */
export const POSTGRESQL_TYPES: TypeTable = {
  title: 'PostgreSQL',
  rules: [
    integer(['SMALLINT', 'INT2'], 2),
    integer(['INTEGER', 'INT', 'INT4'], 4),
    integer(['BIGINT', 'INT8'], 8),
    {
      names: ['DECIMAL', 'NUMERIC'],
      usage: 'DECIMAL, or DECIMAL(p,s) with p from 1 to 1000 and s from 0 to p',
      build(parameters) {
        if (isBare(parameters)) return type('DECIMAL', { kind: 'decimal' })
        const digits = readDigits(parameters, 1000, 1000)
        if (digits === undefined) return undefined
        return type(`DECIMAL(${digits.precision},${digits.scale})`, { kind: 'decimal', ...digits })
      },
    },
    plain(['REAL', 'FLOAT4'], { kind: 'float', bits: 32 }),
    plain(['DOUBLE PRECISION', 'FLOAT8', 'FLOAT'], { kind: 'float', bits: 64 }),
    plain(['BOOLEAN', 'BOOL'], { kind: 'boolean' }),
    {
      names: ['CHAR', 'CHARACTER'],
      usage: `CHAR(n) with n from 1 to ${MAX_TEXT_CHARS}`,
      build(parameters) {
        const maxChars = readLength(parameters, 1, MAX_TEXT_CHARS, 1)
        return maxChars === undefined ? undefined : type(`CHAR(${maxChars})`, { kind: 'text', padded: true, maxChars })
      },
    },
    {
      names: ['VARCHAR', 'CHARACTER VARYING'],
      usage: `VARCHAR, or VARCHAR(n) with n from 1 to ${MAX_TEXT_CHARS}`,
      build(parameters) {
        if (isBare(parameters)) return type('VARCHAR', { kind: 'text', padded: false })
        const maxChars = readLength(parameters, 1, MAX_TEXT_CHARS)
        if (maxChars === undefined) return undefined
        return type(`VARCHAR(${maxChars})`, { kind: 'text', padded: false, maxChars })
      },
    },
    plain(['TEXT'], { kind: 'text', padded: false }),
    plain(['BYTEA'], { kind: 'binary', padded: false }, { takesDefault: false }),
    plain(['UUID'], { kind: 'uuid' }),
    plain(['JSON'], { kind: 'json', binary: false }, { indexable: false }),
    plain(['JSONB'], { kind: 'json', binary: true }),
    plain(['DATE'], { kind: 'date' }),
    timed('TIME', ['TIME', 'TIME WITHOUT TIME ZONE'], (fractionDigits) => ({ kind: 'time', fractionDigits })),
    timed('TIMESTAMP', ['TIMESTAMP', 'TIMESTAMP WITHOUT TIME ZONE'], (fractionDigits) => ({
      kind: 'timestamp',
      zoned: false,
      fractionDigits,
    })),
    timed('TIMESTAMPTZ', ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'], (fractionDigits) => ({
      kind: 'timestamp',
      zoned: true,
      fractionDigits,
    })),
  ],
}

/** PostgreSQL bounds neither row nor key when a table is made, so every type weighs nothing here. */
function type(sql: string, values: ValueSpace, { takesDefault = true, indexable = true } = {}): ColumnType {
  return { sql, values, takesDefault, footprint: indexable ? { rowBytes: 0, keyBytes: 0 } : { rowBytes: 0 } }
}

function integer(names: readonly [string, ...string[]], bytes: number): TypeRule {
  const half = 1n << BigInt(bytes * 8 - 1)
  return plain(names, { kind: 'integer', min: -half, max: half - 1n })
}

function plain(
  names: readonly [string, ...string[]],
  values: ValueSpace,
  traits: { takesDefault?: boolean; indexable?: boolean } = {},
): TypeRule {
  const only = type(names[0], values, traits)
  return {
    names,
    usage: `${names[0]} without parameters`,
    build: (parameters) => (isBare(parameters) ? only : undefined),
  }
}

/** Six digits of a second's fraction are what PostgreSQL means by a bare name. */
function timed(name: string, names: readonly string[], values: (fractionDigits: number) => ValueSpace): TypeRule {
  return {
    names,
    usage: `${name} or ${name}(f) with f from 0 to 6 digits of a second's fraction`,
    build(parameters) {
      const digits = readLength(parameters, 0, 6, 6)
      return digits === undefined ? undefined : type(digits === 6 ? name : `${name}(${digits})`, values(digits))
    },
  }
}
