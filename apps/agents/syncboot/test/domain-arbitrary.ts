import fc from 'fast-check'
import type { DomainRequest, FieldRequest, IndexRequest } from '../src/schema/domain-request.js'
import { toSnakeCase } from '../src/schema/naming.js'
import type { DialectName } from '../src/sql/dialect.js'
import { dialectOf } from '../src/sql/dialects.js'
import { QUOTED_WORDS } from '../src/sql/reserved-words.js'

/** A type together with a default that fits it. */
interface TypedDefault {
  readonly type: string
  readonly defaultValue?: string | number | boolean
  readonly isIndexable: boolean
}

const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((value) => !/[\\\p{Cc}\p{Cs}]/u.test(value) && !/^(current_|now\()/i.test(value))
const day = fc.date({ min: new Date('1971-01-02'), max: new Date('2037-12-30'), noInvalidDate: true })
const fraction = fc.integer({ min: 0, max: 6 })

function typed<T>(
  from: fc.Arbitrary<T>,
  build: (value: T) => Omit<TypedDefault, 'isIndexable'>,
  isIndexable = true,
): fc.Arbitrary<TypedDefault> {
  return from.map((value) => ({ ...build(value), isIndexable }))
}

function integers(type: string, bits: number, isUnsigned = false): fc.Arbitrary<TypedDefault> {
  const half = 1n << BigInt(bits - 1)
  const bounds = isUnsigned ? { min: 0n, max: 2n * half - 1n } : { min: -half, max: half - 1n }
  return typed(fc.bigInt(bounds), (value) => ({ type, defaultValue: String(value) }))
}

function decimals(name: string, maxPrecision: number, maxScale: number): fc.Arbitrary<TypedDefault> {
  const digits = fc.tuple(
    fc.integer({ min: 1, max: maxPrecision }),
    fc.integer({ min: 0, max: maxScale }),
    fc.boolean(),
  )
  return typed(digits, ([precision, wantedScale, isNegative]) => {
    const scale = Math.min(wantedScale, precision)
    const whole = '9'.repeat(precision - scale) || '0'
    const number = scale === 0 ? whole : `${whole}.${'7'.repeat(scale)}`
    return { type: `${name}(${precision},${scale})`, defaultValue: isNegative ? `-${number}` : number }
  })
}

function texts(name: string, max: number): fc.Arbitrary<TypedDefault> {
  return typed(fc.tuple(fc.integer({ min: 1, max }), text), ([length, value]) => ({
    type: `${name}(${length})`,
    defaultValue: Array.from(value).slice(0, length).join(''),
  }))
}

function bare(type: string, isIndexable = true): fc.Arbitrary<TypedDefault> {
  return fc.constant({ type, isIndexable })
}

const shared = [
  integers('SMALLINT', 16),
  integers('bigint', 64),
  texts('VARCHAR', 120),
  texts('Char', 40),
  typed(fc.boolean(), (defaultValue) => ({ type: 'BOOLEAN', defaultValue })),
  typed(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => ({ type: 'REAL', defaultValue: String(value) })),
  typed(day, (value) => ({ type: 'DATE', defaultValue: value.toISOString().slice(0, 10) })),
  typed(fc.tuple(fraction, day), ([digits, value]) => ({
    type: `TIME(${digits})`,
    defaultValue: value.toISOString().slice(11, digits === 0 ? 19 : 20 + Math.min(digits, 3)),
  })),
  typed(fraction, (digits) => ({ type: `TIMESTAMP( ${digits} )`, defaultValue: 'current_timestamp' })),
  typed(fc.constant('CURRENT_DATE'), (defaultValue) => ({ type: 'DATE', defaultValue })),
]

const TYPES = {
  mysql: [
    ...shared,
    integers('INT', 32),
    integers('INT UNSIGNED', 32, true),
    integers('TINYINT', 8),
    integers('MEDIUMINT', 24),
    integers('BIGINT UNSIGNED', 64, true),
    decimals('DECIMAL', 65, 30),
    typed(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => ({ type: 'DOUBLE', defaultValue: value })),
    typed(day, (value) => ({ type: 'DATETIME', defaultValue: value.toISOString().slice(0, 19) })),
    typed(day, (value) => ({ type: 'TIMESTAMP(3)', defaultValue: value.toISOString().slice(0, 23) })),
    typed(fc.integer({ min: 1901, max: 2155 }), (defaultValue) => ({ type: 'YEAR', defaultValue })),
    typed(
      fc.uniqueArray(fc.stringMatching(/^[a-z가-힣 '",()]{0,8}[a-z')]$/), { minLength: 1, maxLength: 5 }),
      (members) => ({
        type: `ENUM(${members.map((member) => `'${member.replaceAll("'", "''")}'`).join(', ')})`,
        defaultValue: members[0] ?? '',
      }),
    ),
    ...['TINYTEXT', 'TEXT', 'LONGTEXT', 'BLOB', 'JSON'].map((type) => bare(type, false)),
    bare('VARBINARY(40)'),
  ],
  postgresql: [
    ...shared,
    integers('INTEGER', 32),
    decimals('NUMERIC', 200, 100),
    typed(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => ({
      type: 'double  precision',
      defaultValue: String(value),
    })),
    typed(fc.uuid(), (defaultValue) => ({ type: 'UUID', defaultValue })),
    typed(text, (defaultValue) => ({ type: 'TEXT', defaultValue })),
    typed(fc.tuple(fraction, day), ([digits, value]) => ({
      type: `TIMESTAMP(${digits}) WITH TIME ZONE`,
      defaultValue: `${value.toISOString().slice(0, 19)}+09:00`,
    })),
    typed(fc.constantFrom('{}', '[]', '{"a": [1, 2.5, "it\'s"]}'), (defaultValue) => ({ type: 'JSONB', defaultValue })),
    bare('JSON', false),
    bare('BYTEA'),
  ],
} satisfies Record<DialectName, readonly fc.Arbitrary<TypedDefault>[]>

const reserved = fc.constantFrom(...QUOTED_WORDS)
const plainName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,20}(_[A-Za-z0-9]{1,8})?$/)
const name = fc.oneof({ arbitrary: plainName, weight: 3 }, { arbitrary: reserved, weight: 1 })

interface FieldDraft {
  readonly field: FieldRequest
  readonly isIndexable: boolean
}

function fieldDraft(dialect: DialectName): fc.Arbitrary<FieldDraft> {
  const flags = fc.record({ isKey: fc.boolean(), isNullable: fc.boolean(), hasDefault: fc.boolean() })
  return fc.tuple(name, fc.oneof(...TYPES[dialect]), flags).map(([fieldName, typedDefault, flag]) => {
    const { type, defaultValue, isIndexable } = typedDefault
    const isKey = flag.isKey && isIndexable
    const field = { name: fieldName, type, nullable: !isKey && flag.isNullable, primaryKey: isKey }
    const hasDefault = flag.hasDefault && defaultValue !== undefined
    return { field: hasDefault ? { ...field, defaultValue } : field, isIndexable }
  })
}

/** Valid domains of a dialect, with names that are reserved, texts that need quoting and defaults at the edge of their type. */
export function domain(dialect: DialectName): fc.Arbitrary<DomainRequest> {
  const fields = fc.uniqueArray(fieldDraft(dialect), {
    minLength: 1,
    maxLength: 8,
    selector: ({ field }) => toSnakeCase(field.name),
  })
  const parts = fc.record({ domainName: plainName, fields, enableAuditing: fc.boolean(), seed: fc.nat() })
  return parts
    .filter((part) =>
      part.fields.every(({ field }) => !isAuditColumn(field.name) && !isSystemColumn(field.name, dialect)),
    )
    .map((part) => {
      const indexable = part.fields.filter(({ isIndexable }) => isIndexable).map(({ field }) => field.name)
      return {
        domainName: part.domainName,
        fields: part.fields.map(({ field }) => field),
        enableAuditing: part.enableAuditing,
        dialect,
        indexes: indexesOver(indexable.slice(0, 4), part.seed),
      }
    })
}

/** A domain and what it may become without an approval: other nulls and defaults, more fields, indexes and auditing. */
export function grownDomain(dialect: DialectName): fc.Arbitrary<readonly [DomainRequest, DomainRequest]> {
  return fc.tuple(domain(dialect), domain(dialect), fc.boolean()).map(([before, other, dropsDefaults]) => {
    const kept = before.fields.map(({ defaultValue, ...field }) => ({
      ...field,
      nullable: field.primaryKey !== true && field.nullable !== true,
      ...(dropsDefaults || defaultValue === undefined ? {} : { defaultValue }),
    }))
    const names = new Set(before.fields.map(({ name: known }) => toSnakeCase(known)))
    const added = other.fields
      .filter(({ name: fresh }) => !names.has(toSnakeCase(fresh)))
      .map((field) => ({ ...field, primaryKey: false }))
    const first = other.indexes?.[0]?.columns.filter((column) => !names.has(toSnakeCase(column))) ?? []
    const fresh = first.length === 0 ? [] : [{ name: 'idx_grown', columns: first, unique: dropsDefaults }]
    return [
      before,
      {
        ...before,
        fields: dropsDefaults ? [...added, ...kept] : [...kept, ...added],
        indexes: [...(before.indexes ?? []), ...fresh],
        enableAuditing: before.enableAuditing === true || other.enableAuditing === true,
      },
    ]
  })
}

function isAuditColumn(fieldName: string): boolean {
  return ['created_at', 'updated_at'].includes(toSnakeCase(fieldName))
}

function isSystemColumn(fieldName: string, dialect: DialectName): boolean {
  return dialectOf(dialect).systemColumns.has(toSnakeCase(fieldName))
}

function indexesOver(columns: readonly string[], seed: number): readonly IndexRequest[] {
  if (columns.length === 0 || seed % 3 === 0) return []
  const one = { name: `idx_one_${seed}`, columns: columns.slice(0, 1), unique: seed % 2 === 0 }
  return columns.length === 1 ? [one] : [one, { name: 'select', columns: columns.slice(0, 3) }]
}
