import { describe, expect, test } from '@jest/globals'
import { designTable } from '../../src/schema/design.js'
import type { DomainRequest, FieldRequest } from '../../src/schema/domain-request.js'
import type { DialectName } from '../../src/sql/dialect.js'
import { dialectOf } from '../../src/sql/dialects.js'
import { membershipGrade } from '../membership-grade.js'
import { refusalOf } from '../refusal.js'

function design(changes: Partial<DomainRequest>, dialect: DialectName = 'mysql') {
  return designTable(membershipGrade(changes), dialectOf(dialect))
}

function refusal(changes: Partial<DomainRequest>, dialect?: DialectName) {
  return refusalOf(() => design(changes, dialect))
}

const ID: FieldRequest = { name: 'id', type: 'BIGINT', primaryKey: true }

describe('designTable', () => {
  test('lets a field be null unless it says otherwise or is part of the primary key', () => {
    const { columns } = design({
      fields: [ID, { name: 'a', type: 'DATE' }, { name: 'b', type: 'DATE', nullable: false }],
    })
    expect(columns.slice(0, 3).map(({ nullable }) => nullable)).toEqual([false, true, false])
  })

  test('takes null for no default', () => {
    const { columns } = design({ fields: [{ ...ID, defaultValue: null }] })
    expect(columns[0]).not.toHaveProperty('defaultSql')
  })

  test('makes one primary key of all fields that say so, in their order', () => {
    const second: FieldRequest = { name: 'memberNo', type: 'INT', primaryKey: true }
    expect(design({ fields: [ID, { name: 'a', type: 'DATE' }, second] }).primaryKey).toEqual(['id', 'member_no'])
  })

  test('finds the columns of an index by field or by column name', () => {
    const indexes = [{ name: 'idxRate', columns: ['discountRate', 'min_spent_amount', 'createdAt'] }]
    const columns = ['discount_rate', 'min_spent_amount', 'created_at']
    expect(design({ indexes }).indexes).toEqual([{ name: 'idx_rate', columns, unique: false }])
  })

  test('refuses a primary key that may be null', async () => {
    expect(await refusal({ fields: [{ ...ID, nullable: true }] })).toMatchObject({
      path: 'fields.0.nullable',
      expected: 'false: a primary key is never null',
    })
  })

  test('refuses two fields that become one column', async () => {
    const fields = [ID, { name: 'gradeCode', type: 'INT' }, { name: 'grade_code', type: 'INT' }]
    expect(await refusal({ fields })).toMatchObject({
      path: 'fields.2.name',
      expected: 'another name: fields.1 already becomes grade_code',
    })
  })

  test('refuses a field whose column auditing would add', async () => {
    const fields = [ID, { name: 'createdAt', type: 'TIMESTAMP' }]
    expect(await refusal({ fields })).toMatchObject({ path: 'fields.1.name' })
    expect(design({ fields, enableAuditing: false }).columns).toHaveLength(2)
  })

  test('refuses two indexes of one name, and an index name that the database uses itself', async () => {
    const index = { name: 'idx_rate', columns: ['discountRate'] }
    expect(await refusal({ indexes: [index, { ...index, name: 'idxRate' }] })).toMatchObject({ path: 'indexes.1.name' })
    expect(await refusal({ indexes: [{ ...index, name: 'primary' }] })).toMatchObject({ path: 'indexes.0.name' })
    const pkey = [{ ...index, name: 'tb_membership_grade_pkey' }]
    expect(await refusal({ indexes: pkey }, 'postgresql')).toMatchObject({ path: 'indexes.0.name' })
  })

  test('refuses an index over what is no field, or over one field twice', async () => {
    const over = (columns: string[]) => refusal({ indexes: [{ name: 'idx', columns }] })
    expect(await over(['discountRate', 'nickname'])).toMatchObject({
      path: 'indexes.0.columns.1',
      expected: 'the name of a field',
    })
    expect(await over(['discountRate', 'discount_rate'])).toMatchObject({ path: 'indexes.0.columns.1' })
  })

  test('refuses names that are too long for the dialect once the prefix is on', async () => {
    const longest = `A${'b'.repeat(60)}`
    expect(design({ domainName: longest }).name).toHaveLength(64)
    expect(await refusal({ domainName: longest }, 'postgresql')).toMatchObject({ path: 'domainName' })
    expect(await refusal({ domainName: `${longest}c` })).toMatchObject({ path: 'domainName' })
    const field = { name: `a${'b'.repeat(63)}`, type: 'DATE' }
    expect(design({ fields: [field] }).columns[0]?.name).toHaveLength(64)
    expect(await refusal({ fields: [field] }, 'postgresql')).toMatchObject({ path: 'fields.0.name' })
  })

  test('refuses columns that the database keeps for itself', async () => {
    expect(await refusal({ fields: [{ name: 'xmin', type: 'DATE' }] }, 'postgresql')).toMatchObject({
      path: 'fields.0.name',
      expected: 'another name: PostgreSQL keeps xmin for itself',
    })
    expect(await refusal({ fields: [{ name: 'dbRowId', type: 'DATE' }] })).toMatchObject({ path: 'fields.0.name' })
  })

  test('refuses names that could inject, wherever they stand', async () => {
    const name = 'a) ; DROP TABLE users; --'
    expect(await refusal({ domainName: name })).toMatchObject({ path: 'domainName' })
    expect(await refusal({ fields: [{ name, type: 'INT' }] })).toMatchObject({ path: 'fields.0.name' })
    expect(await refusal({ indexes: [{ name, columns: ['gradeCode'] }] })).toMatchObject({ path: 'indexes.0.name' })
    expect(await refusal({ indexes: [{ name: 'idx', columns: [name] }] })).toMatchObject({
      path: 'indexes.0.columns.0',
    })
  })

  test('never repeats an argument in a refusal', async () => {
    const secret = "s3cret'; --"
    const refusals = [
      refusal({ domainName: secret }),
      refusal({ fields: [{ name: 'a', type: secret }] }),
      refusal({ fields: [{ name: 'a', type: 'INT', defaultValue: secret }] }),
    ]
    expect(JSON.stringify(await Promise.all(refusals))).not.toContain('s3cret')
  })
})

describe('what MySQL bounds in bytes', () => {
  test('refuses a row that is too large', async () => {
    const text = (name: string, type: string) => ({ name, type })
    expect(await refusal({ fields: [text('a', 'VARCHAR(16383)'), text('b', 'CHAR(1)')] })).toMatchObject({
      path: 'fields',
      expected: expect.stringContaining('at most 65535 bytes a row in MySQL'),
    })
    expect(design({ fields: [text('a', 'VARCHAR(16383)')], enableAuditing: false }).columns).toHaveLength(1)
    expect(design({ fields: [text('a', 'VARCHAR(16383)'), text('b', 'VARCHAR(16383)')] }, 'postgresql')).toBeDefined()
  })

  test('refuses a key that is too large', async () => {
    const fields = [
      { name: 'a', type: 'VARCHAR(768)' },
      { name: 'b', type: 'TINYINT' },
    ]
    const index = (columns: string[]) => ({ fields, indexes: [{ name: 'idx', columns }] })
    expect(design(index(['a'])).indexes).toHaveLength(1)
    expect(await refusal(index(['a', 'b']))).toMatchObject({ path: 'indexes.0.columns.1' })
  })

  test('refuses types that cannot be a key', async () => {
    expect(await refusal({ fields: [{ name: 'a', type: 'TEXT', primaryKey: true }] })).toMatchObject({
      path: 'fields.0.primaryKey',
      expected: 'a column that MySQL can index, which TEXT is not',
    })
    const json = { fields: [{ name: 'a', type: 'JSON' }], indexes: [{ name: 'idx', columns: ['a'] }] }
    expect(await refusal(json, 'postgresql')).toMatchObject({ path: 'indexes.0.columns.0' })
  })
})
