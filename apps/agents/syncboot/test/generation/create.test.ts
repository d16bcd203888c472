import { afterEach, describe, expect, test } from '@jest/globals'
import { openGenerator, sqlOf } from '../generator.js'
import { MEMBERSHIP_GRADE, MEMBERSHIP_GRADE_SQL, membershipGrade } from '../membership-grade.js'
import { cleanUp, makeFolder } from '../places.js'
import { parseStatements } from '../sql-parsers.js'

afterEach(cleanUp)

describe('a schema in MySQL', () => {
  test('is that of S0.4, again and again', async () => {
    const generate = await openGenerator(await makeFolder())
    const first = await generate(MEMBERSHIP_GRADE)
    const second = await generate(MEMBERSHIP_GRADE)
    expect([first.change, second.change]).toEqual(['created', 'unchanged'])
    expect([sqlOf(first), sqlOf(second)]).toEqual([MEMBERSHIP_GRADE_SQL, MEMBERSHIP_GRADE_SQL])
  })

  test('is the same however types and defaults are spelt', async () => {
    const generate = await openGenerator(await makeFolder())
    await generate(MEMBERSHIP_GRADE)
    const respelt = membershipGrade({
      dialect: 'mysql',
      fields: [
        { name: 'grade_code', type: 'varchar( 20 )', primaryKey: true },
        { name: 'DiscountRate', type: 'numeric(5,2)', nullable: false, defaultValue: '0' },
        { name: 'minSpentAmount', type: 'INT8', nullable: false, defaultValue: 0 },
      ],
    })
    expect(sqlOf(await generate(respelt))).toBe(MEMBERSHIP_GRADE_SQL)
  })

  test('has its composite key and its indexes inside, and quotes reserved words', async () => {
    const generate = await openGenerator(await makeFolder())
    const schema = await generate({
      domainName: 'OrderLine',
      fields: [
        { name: 'order', type: 'BIGINT', primaryKey: true },
        { name: 'lineNo', type: 'INT UNSIGNED', primaryKey: true },
        { name: 'key', type: 'VARCHAR(40)' },
        { name: 'shippedAt', type: 'TIMESTAMP' },
      ],
      indexes: [
        { name: 'idxKey', columns: ['key', 'order'] },
        { name: 'group', columns: ['shippedAt'], unique: true },
      ],
    })
    expect(sqlOf(schema)).toBe(
      [
        'CREATE TABLE tb_order_line (',
        '  `order` BIGINT NOT NULL,',
        '  line_no INT UNSIGNED NOT NULL,',
        '  `key` VARCHAR(40),',
        '  shipped_at TIMESTAMP NULL,',
        '  PRIMARY KEY (`order`, line_no),',
        '  INDEX idx_key (`key`, `order`),',
        '  UNIQUE INDEX `group` (shipped_at)',
        ');',
      ].join('\n'),
    )
    expect(await parseStatements(schema.statements, 'mysql')).toHaveLength(1)
  })
})

describe('a schema in PostgreSQL', () => {
  test('keeps updated_at current by a trigger, since there is no ON UPDATE', async () => {
    const generate = await openGenerator(await makeFolder())
    const schema = await generate(membershipGrade({ dialect: 'postgresql' }))
    expect(schema.statements).toHaveLength(3)
    expect(schema.statements[0]).toBe(
      [
        'CREATE TABLE tb_membership_grade (',
        '  grade_code VARCHAR(20) PRIMARY KEY,',
        '  discount_rate DECIMAL(5,2) NOT NULL DEFAULT 0.00,',
        '  min_spent_amount BIGINT NOT NULL DEFAULT 0,',
        '  created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,',
        '  updated_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP',
        ');',
      ].join('\n'),
    )
    expect(schema.statements[1]).toMatch(/^CREATE OR REPLACE FUNCTION syncboot_touch_updated_at\(\) RETURNS TRIGGER AS/)
    expect(schema.statements[2]).toMatch(/^CREATE TRIGGER touch_updated_at BEFORE UPDATE ON tb_membership_grade /)
    expect(await parseStatements(schema.statements, 'postgresql')).toHaveLength(3)
  })

  test('makes each index by a statement of its own', async () => {
    const generate = await openGenerator(await makeFolder())
    const indexes = [{ name: 'idxRate', columns: ['discountRate', 'minSpentAmount'], unique: true }]
    const schema = await generate(membershipGrade({ dialect: 'postgresql', enableAuditing: false, indexes }))
    expect(schema.statements[1]).toBe(
      'CREATE UNIQUE INDEX idx_rate ON tb_membership_grade (discount_rate, min_spent_amount);',
    )
    expect(await parseStatements(schema.statements, 'postgresql')).toHaveLength(2)
  })

  test('is kept apart from the same domain in MySQL', async () => {
    const generate = await openGenerator(await makeFolder())
    await generate(MEMBERSHIP_GRADE)
    expect(await generate(membershipGrade({ dialect: 'postgresql' }))).toMatchObject({ change: 'created' })
    expect(await generate(MEMBERSHIP_GRADE)).toMatchObject({ change: 'unchanged' })
  })
})
