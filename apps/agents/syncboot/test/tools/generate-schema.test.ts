import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createLineLogger, serveAgent } from '@synchub/agent-sdk'
import type { JsonObject } from '@synchub/protocol'
import { createSyncBoot } from '../../src/index.js'
import {
  MEMBERSHIP_GRADE,
  MEMBERSHIP_GRADE_CONTENT,
  MEMBERSHIP_GRADE_SQL,
  membershipGrade,
} from '../membership-grade.js'
import { atEnd, cleanUp, makeFolder } from '../places.js'
import { callAgent } from './agent-call.js'

let url: string
let dataDir: string
const logs: JsonObject[] = []

beforeEach(async () => {
  dataDir = await makeFolder()
  const logger = createLineLogger({ write: (line) => logs.push(JSON.parse(line)) })
  const server = await serveAgent(await createSyncBoot({ dataDir }), { dataDir, logger, stopGraceMs: 0 })
  atEnd(() => server.stop())
  url = server.url
})
afterEach(cleanUp)

describe('syncboot_generate_schema', () => {
  test('answers exactly the two content items of S0.4, however often it is asked', async () => {
    for (let time = 0; time < 3; time++) {
      const { result } = await callAgent(url, MEMBERSHIP_GRADE)
      expect(result).toMatchObject({ isError: false })
      expect(JSON.stringify(Object(result).content)).toBe(JSON.stringify(MEMBERSHIP_GRADE_CONTENT))
    }
  })

  test('says the same for programs beside them', async () => {
    const { result } = await callAgent(url, MEMBERSHIP_GRADE)
    expect(result).toMatchObject({
      structuredContent: {
        tableName: 'tb_membership_grade',
        dialect: 'mysql',
        change: 'created',
        notes: [],
        statements: [MEMBERSHIP_GRADE_SQL],
      },
    })
  })

  test('counts the tokens of arguments and content', async () => {
    const { result } = await callAgent(url, MEMBERSHIP_GRADE)
    const usage = { promptTokens: 84, completionTokens: 90, totalTokens: 174 }
    expect(result).toMatchObject({ _meta: { tokenUsage: usage } })
  })

  test('answers a changed domain with its ALTER statements and a text that says what changed', async () => {
    await callAgent(url, MEMBERSHIP_GRADE)
    const fields = [...MEMBERSHIP_GRADE.fields, { name: 'note', type: 'VARCHAR(200)' }]
    const { result } = await callAgent(url, membershipGrade({ fields }))
    expect(result).toMatchObject({
      content: [
        { text: '스키마 변경 SQL 생성이 완료되었습니다. 변경 사항: 컬럼 추가 note VARCHAR(200)' },
        {
          resource: {
            uri: 'schema://syncboot/domain/MembershipGrade',
            text: 'ALTER TABLE tb_membership_grade\n  ADD COLUMN note VARCHAR(200) AFTER min_spent_amount;',
          },
        },
      ],
      structuredContent: { change: 'altered', notes: ['컬럼 추가 note VARCHAR(200)'] },
    })
  })

  test('needs an approval for a change of an index, in the words of S0.5, and mints no ticket', async () => {
    const index = { name: 'idx_rate', columns: ['discountRate'] }
    await callAgent(url, membershipGrade({ indexes: [index] }))
    const { error } = await callAgent(url, membershipGrade({ indexes: [{ ...index, unique: true }] }))
    expect(error).toMatchObject({
      code: -32001,
      message: 'HITL Approval Required: 스키마 생성에 기존 인덱스 변경이 수반되어 관리자 승인이 필요합니다.',
      data: {
        type: 'https://empasy.io/errors/hitl-approval-required',
        title: 'HITL_APPROVAL_REQUIRED',
        status: 403,
        detail: 'Index modification detected on table tb_membership_grade',
        instance: '/tools/call/syncboot_generate_schema',
      },
    })
    expect(JSON.stringify(error)).not.toContain('approvalTicketId')
  })

  test.each<[string, unknown, string]>([
    ['no fields', membershipGrade({ fields: [] }), 'fields'],
    ['no domain', { fields: MEMBERSHIP_GRADE.fields }, 'domainName'],
    ['a misspelt member', { ...MEMBERSHIP_GRADE, enableAudit: true }, 'enableAudit'],
    [
      'a misspelt field member',
      { ...MEMBERSHIP_GRADE, fields: [{ name: 'a', type: 'INT', primarykey: true }] },
      'fields.0.primarykey',
    ],
    ['another dialect', { ...MEMBERSHIP_GRADE, dialect: 'oracle' }, 'dialect'],
    ['a type of the wrong kind', { ...MEMBERSHIP_GRADE, fields: [{ name: 'a', type: 5 }] }, 'fields.0.type'],
    ['an unknown type', membershipGrade({ fields: [{ name: 'a', type: 'MONEY' }] }), 'fields.0.type'],
    [
      'a default that injects',
      membershipGrade({ fields: [{ name: 'a', type: 'INT', defaultValue: '0); DROP TABLE a;--' }] }),
      'fields.0.defaultValue',
    ],
    ['a domain that injects', membershipGrade({ domainName: 'A; DROP TABLE users' }), 'domainName'],
    ['a domain that leaves the folder', membershipGrade({ domainName: '../../etc/passwd' }), 'domainName'],
    ['a field that injects', membershipGrade({ fields: [{ name: 'a`', type: 'INT' }] }), 'fields.0.name'],
    [
      'an index that injects',
      membershipGrade({ indexes: [{ name: 'i" --', columns: ['gradeCode'] }] }),
      'indexes.0.name',
    ],
    ['an index without columns', membershipGrade({ indexes: [{ name: 'i', columns: [] }] }), 'indexes.0.columns'],
    ['an index over no field', membershipGrade({ indexes: [{ name: 'i', columns: ['a'] }] }), 'indexes.0.columns.0'],
  ])('refuses %s with -32602, naming the place and what belongs there', async (_, args, path) => {
    const { error } = await callAgent(url, args)
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: /),
      data: { title: 'INVALID_PARAMS', status: 422, path, expected: expect.stringMatching(/./) },
    })
    expect(await readdir(join(dataDir, 'catalogue', 'mysql'))).toEqual([])
  })

  test('reports a damaged catalogue as -32603 with the remedy, and the cause in its log', async () => {
    await writeFile(join(dataDir, 'catalogue', 'mysql', 'tb_membership_grade.json'), '{')
    const { error } = await callAgent(url, MEMBERSHIP_GRADE)
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(
        /^Internal Error: SyncBoot's catalogue file .* is damaged: restore it from a backup/,
      ),
    })
    expect(logs.find(({ callId, level }) => callId !== undefined && level === 'error')).toBeDefined()
  })

  test('lists its schemas, so that callers know what it takes and gives', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(await response.json()).toMatchObject({
      result: {
        tools: [
          {
            name: 'syncboot_generate_schema',
            inputSchema: { required: ['domainName', 'fields'], properties: { dialect: { default: 'mysql' } } },
            outputSchema: { required: ['tableName', 'dialect', 'change', 'notes', 'statements'] },
          },
        ],
      },
    })
  })
})
