import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { InvalidDomain } from '../../src/schema/refusal.js'
import { readDefault } from '../../src/sql/default-value.js'
import type { DialectName } from '../../src/sql/dialect.js'
import { dialectOf } from '../../src/sql/dialects.js'
import type { DefaultValue } from '../../src/sql/printed-default.js'
import { readType } from '../../src/sql/type-table.js'
import { refusalOf } from '../refusal.js'

function print(dialect: DialectName, type: string, value: DefaultValue): string {
  const { types, temporal } = dialectOf(dialect)
  return readDefault(value, readType(types, type, 'type'), temporal, 'fields.0.defaultValue')
}

function isPrinted(dialect: DialectName, type: string, value: DefaultValue): boolean {
  try {
    print(dialect, type, value)
    return true
  } catch (error) {
    if (error instanceof InvalidDomain) return false
    throw error
  }
}

const HUGE = 2 ** 53

describe('defaults in MySQL', () => {
  test.each<[string, DefaultValue, string]>([
    ['BIGINT', '0', '0'],
    ['BIGINT', 0, '0'],
    ['BIGINT', '-007', '-7'],
    ['BIGINT', '-9223372036854775808', '-9223372036854775808'],
    ['BIGINT UNSIGNED', '18446744073709551615', '18446744073709551615'],
    ['DECIMAL(5,2)', '0.00', '0.00'],
    ['DECIMAL(5,2)', '0', '0.00'],
    ['DECIMAL(5,2)', '-999.9', '-999.90'],
    ['DECIMAL(5,2)', '-0.00', '0.00'],
    ['DECIMAL(2,2)', '0.99', '0.99'],
    ['DECIMAL(5,2)', 1.5, '1.50'],
    ['DOUBLE', '1e21', '1e+21'],
    ['DOUBLE', HUGE, '9007199254740992'],
    ['FLOAT', -0, '0'],
    ['BOOLEAN', true, 'TRUE'],
    ['BOOLEAN', 'FALSE', 'FALSE'],
    ['BOOLEAN', '1', 'TRUE'],
    ['VARCHAR(4)', "it's", "'it''s'"],
    ['VARCHAR(2)', '등급', "'등급'"],
    ['VARCHAR(1)', '🙂', "'🙂'"],
    ['VARCHAR(9)', '', "''"],
    ['VARCHAR(90)', "'; DROP TABLE users; --", "'''; DROP TABLE users; --'"],
    ["ENUM('a','b')", 'b', "'b'"],
    ['DATE', '2024-02-29', "'2024-02-29'"],
    ['DATE', 'CURRENT_DATE', '(CURRENT_DATE)'],
    ['TIME(3)', '23:59:59.120', "'23:59:59.12'"],
    ['DATETIME', '9999-12-31T23:59:59', "'9999-12-31 23:59:59'"],
    ['TIMESTAMP', 'CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP'],
    ['TIMESTAMP', 'now()', 'CURRENT_TIMESTAMP'],
    ['DATETIME(3)', 'current_timestamp', 'CURRENT_TIMESTAMP(3)'],
    ['DATETIME(3)', 'CURRENT_TIMESTAMP(3)', 'CURRENT_TIMESTAMP(3)'],
    ['YEAR', 2026, '2026'],
  ])('prints a %s of %j as %s', (type, value, sql) => {
    expect(print('mysql', type, value)).toBe(sql)
  })

  test.each<[string, DefaultValue]>([
    ['BIGINT', '9223372036854775808'],
    ['BIGINT', HUGE],
    ['BIGINT', 1.5],
    ['BIGINT', '1e3'],
    ['BIGINT', '0x10'],
    ['BIGINT', ''],
    ['BIGINT', ' 1'],
    ['BIGINT', '1; DROP TABLE users'],
    ['BIGINT', true],
    ['TINYINT', 128],
    ['INT UNSIGNED', -1],
    ['DECIMAL(5,2)', '1000'],
    ['DECIMAL(5,2)', '0.001'],
    ['DECIMAL(5,2)', '1,5'],
    ['DECIMAL(2,2)', '1'],
    ['DECIMAL(5,2)', 0.1 + 0.2],
    ['FLOAT', '1e39'],
    ['DOUBLE', 'NaN'],
    ['DOUBLE', '1e999'],
    ['BOOLEAN', 'yes'],
    ['BOOLEAN', 2],
    ['VARCHAR(3)', 'four'],
    ['VARCHAR(9)', 5],
    ['VARCHAR(9)', 'a\\'],
    ['VARCHAR(9)', 'a\nb'],
    ['VARCHAR(9)', 'a\u0000'],
    ['VARCHAR(9)', '\ud83d'],
    ['VARCHAR(30)', 'CURRENT_TIMESTAMP'],
    ['TEXT', 'a'],
    ['JSON', '{}'],
    ['BLOB', 'a'],
    ["ENUM('a','b')", 'c'],
    ['DATE', '2023-02-29'],
    ['DATE', '0999-01-01'],
    ['DATE', 'CURRENT_TIMESTAMP'],
    ['TIME', '24:00:00'],
    ['TIME', '10:00:00.5'],
    ['TIME', 'CURRENT_TIMESTAMP'],
    ['TIMESTAMP', '2038-01-20 00:00:00'],
    ['TIMESTAMP', '1970-01-01 00:00:00'],
    ['TIMESTAMP', '2026-01-01 00:00:00+09:00'],
    ['DATETIME', '2026-01-01'],
    ['DATETIME', '2026-01-01 00:00:00.5'],
    ['DATETIME(3)', 'CURRENT_TIMESTAMP(6)'],
    ['YEAR', 1900],
  ])('refuses a %s of %j', (type, value) => {
    expect(isPrinted('mysql', type, value)).toBe(false)
  })
})

describe('defaults in PostgreSQL', () => {
  test.each<[string, DefaultValue, string]>([
    ['DECIMAL', '12345678901234567890.5', '12345678901234567890.5'],
    ['TEXT', "it's", "'it''s'"],
    ['UUID', '123E4567-E89B-12D3-A456-426614174000', "'123e4567-e89b-12d3-a456-426614174000'"],
    ['JSONB', '{"a": "it\'s"}', `'{"a": "it''s"}'`],
    ['DATE', '0001-01-01', "'0001-01-01'"],
    ['DATE', 'current_date', 'CURRENT_DATE'],
    ['TIMESTAMP', 'CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP'],
    ['TIMESTAMPTZ(0)', 'CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP(0)'],
    ['TIMESTAMPTZ', '2026-09-15T10:00:00Z', "'2026-09-15 10:00:00+00:00'"],
    ['TIMESTAMPTZ', '2026-09-15 10:00:00.25+09:00', "'2026-09-15 10:00:00.25+09:00'"],
  ])('prints a %s of %j as %s', (type, value, sql) => {
    expect(print('postgresql', type, value)).toBe(sql)
  })

  test.each<[string, DefaultValue]>([
    ['UUID', 'gen_random_uuid()'],
    ['JSON', '{a: 1}'],
    ['JSONB', '"\\u0000"'],
    ['BYTEA', 'a'],
    ['TIMESTAMPTZ', '2026-09-15 10:00:00'],
    ['TIMESTAMP', '2026-09-15 10:00:00Z'],
    ['TIMESTAMP', '2026-02-30 10:00:00'],
  ])('refuses a %s of %j', (type, value) => {
    expect(isPrinted('postgresql', type, value)).toBe(false)
  })
})

describe('a default', () => {
  test('that does not fit says what would', async () => {
    expect(await refusalOf(() => print('mysql', 'TINYINT', 300))).toMatchObject({
      path: 'fields.0.defaultValue',
      expected: 'a whole number from -128 to 127 (a string beyond 2^53), as its type TINYINT demands',
    })
    expect(await refusalOf(() => print('mysql', 'TEXT', 'a'))).toMatchObject({
      expected: 'left out: a TEXT column takes no default',
    })
  })

  test('can never leave its literal, whatever the text', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom("'", '\\', '--', ';', 'a', '`')).map((all) => all.join('')),
    )
    const types = fc.constantFrom('VARCHAR(100)', 'BIGINT', 'DECIMAL(5,2)', 'DATE', 'TIMESTAMP', 'TIME', 'BOOLEAN')
    fc.assert(
      fc.property(anything, types, fc.constantFrom('mysql', 'postgresql'), (value, type, dialect) => {
        if (!isPrinted(dialect, type, value)) return
        expect(print(dialect, type, value)).toMatch(/^(-?[0-9.]+|\(?[A-Z_]+\)?|'([^'\\\p{Cc}]|'')*')$/u)
      }),
      { numRuns: 3000 },
    )
  })
})
