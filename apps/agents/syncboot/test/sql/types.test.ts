import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { InvalidDomain } from '../../src/schema/refusal.js'
import type { DialectName } from '../../src/sql/dialect.js'
import { dialectOf } from '../../src/sql/dialects.js'
import { readType } from '../../src/sql/type-table.js'
import { refusalOf } from '../refusal.js'

function read(dialect: DialectName, text: string): string {
  return readType(dialectOf(dialect).types, text, 'fields.0.type').sql
}

function isRead(dialect: DialectName, text: string): boolean {
  try {
    read(dialect, text)
    return true
  } catch (error) {
    if (error instanceof InvalidDomain) return false
    throw error
  }
}

describe('types of MySQL', () => {
  test.each([
    ['VARCHAR(20)', 'VARCHAR(20)'],
    ['varchar ( 20 )', 'VARCHAR(20)'],
    ['character  varying(20)', 'VARCHAR(20)'],
    ['DECIMAL(5,2)', 'DECIMAL(5,2)'],
    ['numeric(5)', 'DECIMAL(5,0)'],
    ['DECIMAL', 'DECIMAL(10,0)'],
    ['INTEGER', 'INT'],
    ['int unsigned', 'INT UNSIGNED'],
    ['BOOL', 'BOOLEAN'],
    ['TINYINT(1)', 'BOOLEAN'],
    ['double precision', 'DOUBLE'],
    ['CHAR', 'CHAR(1)'],
    ['DATETIME(6)', 'DATETIME(6)'],
    ['TIMESTAMP(0)', 'TIMESTAMP'],
    ["enum('a', 'it''s (b), c')", "ENUM('a','it''s (b), c')"],
    ['VARBINARY(65532)', 'VARBINARY(65532)'],
    ['LONGTEXT', 'LONGTEXT'],
    ['JSON', 'JSON'],
    ['YEAR', 'YEAR'],
  ])('reads %s as %s', (text, sql) => {
    expect(read('mysql', text)).toBe(sql)
  })

  test.each([
    'VARCHAR',
    'VARCHAR(0)',
    'VARCHAR(16384)',
    'VARCHAR(20',
    'VARCHAR(20))',
    'VARCHAR(-1)',
    'VARCHAR(1.5)',
    "VARCHAR('a')",
    'CHAR(256)',
    'DECIMAL(66,2)',
    'DECIMAL(40,31)',
    'DECIMAL(2,5)',
    'DECIMAL(0)',
    'DECIMAL(5,2,1)',
    'INT(11)',
    'TINYINT(2)',
    'DECIMAL(5,2) UNSIGNED',
    'DATETIME(7)',
    'DATE(1)',
    'ENUM()',
    'ENUM(1)',
    "ENUM('a','A')",
    "ENUM('a ')",
    "ENUM('')",
    "ENUM('a\\')",
    "ENUM('a\n')",
    "ENUM('a)",
    'UUID',
    'TIMESTAMPTZ',
    'GEOMETRY',
    'INT NOT NULL',
    'INT; DROP TABLE users',
    'INT) ; --',
    'INT/**/',
    'VARCHAR(20) CHARACTER SET utf8',
    '',
    ' ',
    '()',
    `VARCHAR(${'9'.repeat(40)})`,
    `INT${' '.repeat(5000)}`,
  ])('refuses %j', (text) => {
    expect(isRead('mysql', text)).toBe(false)
  })
})

describe('types of PostgreSQL', () => {
  test.each([
    ['INT', 'INTEGER'],
    ['int8', 'BIGINT'],
    ['DECIMAL', 'DECIMAL'],
    ['NUMERIC(1000,1000)', 'DECIMAL(1000,1000)'],
    ['VARCHAR', 'VARCHAR'],
    ['VARCHAR(10485760)', 'VARCHAR(10485760)'],
    ['FLOAT', 'DOUBLE PRECISION'],
    ['timestamp(3) with time zone', 'TIMESTAMPTZ(3)'],
    ['TIMESTAMP WITHOUT TIME ZONE', 'TIMESTAMP'],
    ['TIMESTAMP(6)', 'TIMESTAMP'],
    ['uuid', 'UUID'],
    ['jsonb', 'JSONB'],
    ['bytea', 'BYTEA'],
  ])('reads %s as %s', (text, sql) => {
    expect(read('postgresql', text)).toBe(sql)
  })

  test.each([
    'TINYINT',
    'INT UNSIGNED',
    'DATETIME',
    "ENUM('a')",
    'SERIAL',
    'DECIMAL(1001)',
    'DECIMAL(3,4)',
    'VARCHAR(10485761)',
    'TEXT(5)',
    'INTEGER[]',
    'MONEY',
  ])('refuses %s', (text) => {
    expect(isRead('postgresql', text)).toBe(false)
  })
})

describe('reading a type', () => {
  test('says which types there are when it knows none of that name', async () => {
    expect(await refusalOf(() => read('postgresql', 'DATETIME'))).toMatchObject({
      path: 'fields.0.type',
      expected: expect.stringMatching(/^a type that SyncBoot knows in PostgreSQL: SMALLINT, INTEGER, .*TIMESTAMPTZ$/),
    })
  })

  test('says how a type is written when its parameters do not fit', async () => {
    expect(await refusalOf(() => read('mysql', 'DECIMAL(2,5)'))).toMatchObject({
      expected: 'DECIMAL(p,s) with p from 1 to 65 and s from 0 to 30, s at most p',
    })
  })

  test('reads its own spelling as the same type', () => {
    const types = ['DECIMAL(5,2)', "ENUM('a','it''s')", 'BIGINT UNSIGNED', 'TIME(3)', 'BOOLEAN', 'CHAR(5)']
    expect(types.map((text) => read('mysql', text))).toEqual(types)
  })

  test('prints nothing but what its tables hold, whatever the text', () => {
    const pieces = fc.constantFrom(
      'VARCHAR',
      'ENUM',
      '(',
      ')',
      ',',
      "'",
      "''",
      '1',
      '20',
      ' ',
      ';',
      '--',
      'UNSIGNED',
      '\\',
      'a',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.constantFrom('mysql', 'postgresql'), (parts, dialect) => {
        const text = parts.join('')
        if (!isRead(dialect, text)) return
        expect(read(dialect, text)).toMatch(/^[A-Z0-9 ]+(\([0-9,]+\)|\('([^'\\]|'')+'(,'([^'\\]|'')+')*\))?$/)
      }),
      { numRuns: 5000 },
    )
  })
})
