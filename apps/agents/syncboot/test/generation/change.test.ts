import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { DomainRequest, FieldRequest } from '../../src/schema/domain-request.js'
import type { DialectName } from '../../src/sql/dialect.js'
import { openGenerator, sqlOf } from '../generator.js'
import { cleanUp, makeFolder } from '../places.js'
import { refusalOf } from '../refusal.js'
import { parseStatements } from '../sql-parsers.js'

const ID: FieldRequest = { name: 'id', type: 'BIGINT', primaryKey: true }
const BEFORE: readonly FieldRequest[] = [
  ID,
  { name: 'nickname', type: 'VARCHAR(20)' },
  { name: 'points', type: 'SMALLINT', nullable: false, defaultValue: 0 },
]
const INDEX = { name: 'idxPoints', columns: ['points'] }

let generate: Awaited<ReturnType<typeof openGenerator>>

beforeEach(async () => {
  generate = await openGenerator(await makeFolder())
})
afterEach(cleanUp)

function member(changes: Partial<DomainRequest>): DomainRequest {
  return { domainName: 'Member', fields: BEFORE, indexes: [INDEX], ...changes }
}

/** The answer to a change of the domain, held to what a parser takes. */
async function change(before: Partial<DomainRequest>, after: Partial<DomainRequest>) {
  const { dialect } = await generate(member(before))
  const schema = await generate(member(after))
  await parseStatements(schema.statements, dialect)
  return schema
}

/** The domain with one field replaced or added. */
function withField(field: FieldRequest): readonly FieldRequest[] {
  const known = BEFORE.some(({ name }) => name === field.name)
  return known ? BEFORE.map((old) => (old.name === field.name ? field : old)) : [...BEFORE, field]
}

describe('a changed domain in MySQL', () => {
  test('gets one ALTER TABLE with all that is safe, and a text that says so', async () => {
    const fields = [
      ID,
      { name: 'email', type: 'VARCHAR(80)', nullable: false },
      { name: 'nickname', type: 'VARCHAR(40)', nullable: false },
      { name: 'points', type: 'INT', defaultValue: 10 },
    ]
    const indexes = [INDEX, { name: 'idxEmail', columns: ['email'], unique: true }]
    const schema = await change({}, { fields, indexes })
    expect(schema.change).toBe('altered')
    expect(sqlOf(schema)).toBe(
      [
        'ALTER TABLE tb_member',
        '  MODIFY COLUMN nickname VARCHAR(40) NOT NULL,',
        '  MODIFY COLUMN points INT DEFAULT 10,',
        '  ADD COLUMN email VARCHAR(80) NOT NULL AFTER id,',
        '  ADD UNIQUE INDEX idx_email (email);',
      ].join('\n'),
    )
    expect(schema.notes).toEqual([
      '컬럼 변경 nickname: 타입 VARCHAR(20) → VARCHAR(40), NOT NULL 설정 (NULL인 행이 있으면 실패합니다)',
      '컬럼 변경 points: 타입 SMALLINT → INT, NOT NULL 해제, 기본값 0 → 10',
      '컬럼 추가 email VARCHAR(80) (기본값 없는 NOT NULL: 기존 행이 있으면 값을 먼저 정해야 합니다)',
      '유니크 인덱스 추가 idx_email (email) (중복 값이 있으면 실패합니다)',
    ])
  })

  test('is unchanged from then on, and gets the CREATE text of its new state', async () => {
    const fields = withField({ name: 'email', type: 'VARCHAR(80)' })
    await change({}, { fields })
    const again = await generate(member({ fields }))
    expect(again).toMatchObject({ change: 'unchanged', notes: [] })
    expect(sqlOf(again)).toContain('  email VARCHAR(80),\n')
    expect(sqlOf(again)).toMatch(/^CREATE TABLE tb_member /)
  })

  test('puts a new first column first', async () => {
    const schema = await change({}, { fields: [{ name: 'code', type: 'CHAR(2)' }, ...BEFORE] })
    expect(sqlOf(schema)).toBe('ALTER TABLE tb_member\n  ADD COLUMN code CHAR(2) FIRST;')
  })

  test('gets its audit columns when auditing is switched on', async () => {
    const schema = await change({}, { enableAuditing: true })
    expect(sqlOf(schema)).toBe(
      [
        'ALTER TABLE tb_member',
        '  ADD COLUMN created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP AFTER points,',
        '  ADD COLUMN updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP AFTER created_at;',
      ].join('\n'),
    )
  })

  test('is not changed by another order of its columns and indexes', async () => {
    const two = [INDEX, { name: 'idxNick', columns: ['nickname'] }]
    const schema = await change({ indexes: two }, { fields: BEFORE.toReversed(), indexes: two.toReversed() })
    expect(schema.change).toBe('unchanged')
  })
})

describe('a changed domain in PostgreSQL', () => {
  const dialect = 'postgresql'

  test('gets one ALTER TABLE and one statement for each index', async () => {
    const fields = [
      ...withField({ name: 'points', type: 'BIGINT' }).map((field) =>
        field.name === 'nickname' ? { ...field, type: 'TEXT', nullable: false, defaultValue: "o'neil" } : field,
      ),
      { name: 'email', type: 'TEXT' },
    ]
    const indexes = [INDEX, { name: 'idxEmail', columns: ['email'] }]
    expect(sqlOf(await change({ dialect }, { dialect, fields, indexes }))).toBe(
      [
        'ALTER TABLE tb_member',
        '  ALTER COLUMN nickname TYPE TEXT,',
        '  ALTER COLUMN nickname SET NOT NULL,',
        "  ALTER COLUMN nickname SET DEFAULT 'o''neil',",
        '  ALTER COLUMN points TYPE BIGINT,',
        '  ALTER COLUMN points DROP NOT NULL,',
        '  ALTER COLUMN points DROP DEFAULT,',
        '  ADD COLUMN email TEXT;',
        '',
        'CREATE INDEX idx_email ON tb_member (email);',
      ].join('\n'),
    )
  })

  test('gets its trigger when auditing is switched on', async () => {
    const { statements } = await change({ dialect }, { dialect, enableAuditing: true })
    expect(statements.map((statement) => statement.split('(')[0]?.slice(0, 45))).toEqual([
      expect.stringMatching(/^ALTER TABLE tb_member\n {2}ADD COLUMN create/),
      expect.stringMatching(/^CREATE OR REPLACE FUNCTION/),
      expect.stringMatching(/^CREATE TRIGGER touch_updated_at/),
    ])
  })

  test('turns a column of its own into an audit column and back without a loss', async () => {
    const own: FieldRequest[] = ['created_at', 'updated_at'].map((name) => ({
      name,
      type: 'TIMESTAMPTZ',
      nullable: false,
      defaultValue: 'CURRENT_TIMESTAMP',
    }))
    const kept = { dialect, fields: [...BEFORE, ...own] } as const
    const audited = { dialect, enableAuditing: true } as const
    expect((await change(kept, audited)).notes).toEqual(['컬럼 변경 updated_at: 수정 시각 자동 갱신 설정'])
    const back = await change(audited, kept)
    expect(back.statements).toEqual(['DROP TRIGGER touch_updated_at ON tb_member;'])
    expect(back.notes).toEqual(['컬럼 변경 updated_at: 수정 시각 자동 갱신 해제'])
  })
})

describe('a change that destroys something', () => {
  const INDEX_DETAIL = 'Index modification detected on table tb_member'

  test.each<[string, Partial<DomainRequest>]>([
    ['other columns', { indexes: [{ ...INDEX, columns: ['points', 'nickname'] }] }],
    ['uniqueness', { indexes: [{ ...INDEX, unique: true }] }],
    ['removal', { indexes: [] }],
    ['another name', { indexes: [{ ...INDEX, name: 'idxScore' }] }],
  ])('needs an approval for an index: %s', async (_, after) => {
    expect(await refusalOf(() => change({}, after))).toEqual({
      reason: '스키마 생성에 기존 인덱스 변경이 수반되어 관리자 승인이 필요합니다.',
      detail: INDEX_DETAIL,
    })
  })

  test.each<[string, readonly FieldRequest[]]>([
    ['one more column', withField({ name: 'points', type: 'SMALLINT', primaryKey: true, defaultValue: 0 })],
    ['no key', [{ name: 'id', type: 'BIGINT', nullable: false }, ...BEFORE.slice(1)]],
  ])('needs an approval for a primary key: %s', async (_, fields) => {
    expect(await refusalOf(() => change({}, { fields }))).toEqual({
      reason: '스키마 생성에 기존 기본 키 변경이 수반되어 관리자 승인이 필요합니다.',
      detail: INDEX_DETAIL,
    })
  })

  test('needs an approval for a column that would go, by name', async () => {
    const fields = [ID, ...BEFORE.slice(2), { name: 'alias', type: 'VARCHAR(20)' }]
    expect(await refusalOf(() => change({}, { fields }))).toEqual({
      reason: '스키마 생성에 기존 컬럼 삭제가 수반되어 관리자 승인이 필요합니다.',
      detail: 'Column removal detected on table tb_member: nickname',
    })
  })

  test('needs an approval when auditing is switched off', async () => {
    expect(await refusalOf(() => change({ enableAuditing: true }, {}))).toMatchObject({
      detail: 'Column removal detected on table tb_member: created_at, updated_at',
    })
  })

  test.each<[DialectName, string, string?]>([
    ['mysql', 'VARCHAR(19)'],
    ['mysql', 'INT'],
    ['mysql', 'CHAR(20)'],
    ['mysql', 'TINYTEXT', 'VARCHAR(64)'],
    ['mysql', 'DECIMAL(6,3)', 'DECIMAL(6,2)'],
    ['mysql', 'INT UNSIGNED', 'INT'],
    ['mysql', 'INT', 'INT UNSIGNED'],
    ['mysql', "ENUM('a','c','b')", "ENUM('a','b')"],
    ['mysql', 'DATETIME', 'TIMESTAMP'],
    ['mysql', 'TIME', 'TIME(3)'],
    ['mysql', 'BINARY(9)', 'BINARY(8)'],
    ['postgresql', 'DECIMAL(9,2)', 'DECIMAL'],
    ['postgresql', 'JSON', 'JSONB'],
    ['postgresql', 'TIMESTAMP', 'TIMESTAMPTZ'],
    ['postgresql', 'REAL', 'DOUBLE PRECISION'],
    ['postgresql', 'VARCHAR(9)', 'TEXT'],
  ])('needs an approval in %s for the type %s', async (dialect, type, before = 'VARCHAR(20)') => {
    const fields = (nicknameType: string) => withField({ name: 'nickname', type: nicknameType })
    const narrowed = () => change({ dialect, fields: fields(before) }, { dialect, fields: fields(type) })
    expect(await refusalOf(narrowed)).toEqual({
      reason: '스키마 생성에 데이터 손실 가능성이 있는 컬럼 타입 변경이 수반되어 관리자 승인이 필요합니다.',
      detail: 'Lossy column type change detected on table tb_member: nickname',
    })
  })

  test.each([
    ['mysql', 'INT UNSIGNED', 'BIGINT'],
    ['mysql', 'DECIMAL(5,2)', 'DECIMAL(7,4)'],
    ['mysql', 'VARCHAR(20)', 'TEXT'],
    ['mysql', 'CHAR(20)', 'VARCHAR(20)'],
    ['mysql', "ENUM('a','b')", "ENUM('a','b','c')"],
    ['mysql', 'FLOAT', 'DOUBLE'],
    ['mysql', 'DATETIME', 'DATETIME(6)'],
    ['mysql', 'VARBINARY(20)', 'BLOB'],
    ['mysql', 'TIME', 'TIME(3)'],
    ['postgresql', 'DECIMAL(5,2)', 'DECIMAL'],
    ['postgresql', 'VARCHAR(20)', 'VARCHAR'],
    ['postgresql', 'TIMESTAMPTZ(3)', 'TIMESTAMPTZ'],
  ] as const)('is none in %s when %s becomes %s', async (dialect, before, after) => {
    const fields = (nicknameType: string) => withField({ name: 'nickname', type: nicknameType })
    const schema = await change({ dialect, fields: fields(before) }, { dialect, fields: fields(after) })
    expect(schema.change).toBe('altered')
  })

  test('names all that it would destroy, and details the gravest', async () => {
    const fields = [ID, { name: 'points', type: 'TINYINT', nullable: false, defaultValue: 0 }]
    expect(await refusalOf(() => change({}, { fields, indexes: [] }))).toEqual({
      reason:
        '스키마 생성에 기존 인덱스 변경, 기존 컬럼 삭제, 데이터 손실 가능성이 있는 컬럼 타입 변경이 수반되어 관리자 승인이 필요합니다.',
      detail: INDEX_DETAIL,
    })
  })

  test('saves nothing, not even what would have been safe', async () => {
    const before = await generate(member({}))
    const fields = withField({ name: 'email', type: 'VARCHAR(80)' })
    await refusalOf(() => generate(member({ fields, indexes: [] })))
    expect(sqlOf(await generate(member({})))).toBe(sqlOf(before))
    expect(await generate(member({ fields }))).toMatchObject({ change: 'altered' })
  })
})
