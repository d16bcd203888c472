import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { testAgent } from '@synchub/agent-sdk/testing'
import { createSyncBoot } from '../../src/agent.js'
import { MEMBERSHIP_GRADE, MEMBERSHIP_GRADE_SQL, membershipGrade } from '../membership-grade.js'
import { cleanUp, makeFolder } from '../places.js'

const TOOL = 'syncboot_generate_schema'
const URI = 'schema://syncboot/domain/MembershipGrade'

async function open() {
  const dataDir = await makeFolder()
  const agent = testAgent(await createSyncBoot({ dataDir }))
  const generate = (request: object) => agent.call(TOOL, { ...request })
  return { agent, generate, dataDir }
}

afterEach(cleanUp)

describe('the schemas of SyncBoot', () => {
  test('are there once they were generated, under the URI that the answer named', async () => {
    const { agent, generate } = await open()
    expect(await agent.listResources()).toEqual([])
    expect(await agent.readResource(URI)).toBeUndefined()
    await generate(MEMBERSHIP_GRADE)
    const sql = { mimeType: 'application/sql', text: MEMBERSHIP_GRADE_SQL }
    expect(await agent.readResource(URI)).toEqual({ uri: URI, ...sql })
    expect(await agent.readResource(`${URI}/mysql`)).toEqual({ uri: `${URI}/mysql`, ...sql })
    expect(await agent.listResources()).toEqual([
      { uri: URI, name: 'MembershipGrade', description: 'The table tb_membership_grade', mimeType: 'application/sql' },
    ])
  })

  test('show the table as it is now, and each dialect under its own URI', async () => {
    const { agent, generate } = await open()
    await generate(membershipGrade({ dialect: 'postgresql' }))
    expect((await agent.readResource(URI))?.text).toContain('CREATE TABLE tb_membership_grade')
    await generate(MEMBERSHIP_GRADE)
    await generate(membershipGrade({ fields: [...MEMBERSHIP_GRADE.fields, { name: 'note', type: 'TEXT' }] }))
    expect((await agent.readResource(URI))?.text).toMatch(/CREATE TABLE[^;]*note TEXT/)
    expect((await agent.readResource(`${URI}/postgresql`))?.text).not.toContain('note')
    expect(await agent.listResources()).toHaveLength(1)
  })

  test.each([
    'schema://syncboot/domain/membershipGrade',
    'schema://syncboot/domain/..',
    'schema://syncboot/domain/a%20b',
    `${URI}/sqlite`,
    `${URI}/..`,
  ])('hold nothing at %s', async (uri) => {
    const { agent, generate } = await open()
    await generate(MEMBERSHIP_GRADE)
    expect(await agent.readResource(uri)).toBeUndefined()
  })

  test('are suggested by the begin of a domain, each dialect for itself', async () => {
    const { agent, generate, dataDir } = await open()
    await generate(MEMBERSHIP_GRADE)
    await generate(membershipGrade({ domainName: 'Member', dialect: 'postgresql' }))
    await generate(membershipGrade({ domainName: 'HTTPServer' }))
    const uri = 'schema://syncboot/domain/{domain}'
    const suggest = (typed: string) => agent.complete({ type: 'ref/resource', uri }, 'domain', typed)
    expect(await suggest('')).toEqual(['HTTPServer', 'Member', 'MembershipGrade'])
    expect(await suggest('memberS')).toEqual(['MembershipGrade'])
    expect(await suggest('HTTPS')).toEqual(['HTTPServer'])
    expect(await suggest('Membership_')).toEqual([])
    expect(await suggest('../')).toEqual([])
    await writeFile(join(dataDir, 'catalogue', 'mysql', 'tb_httpserver.json'), '{')
    expect(await suggest('h')).toEqual(['HTTPServer'])
    const both = { type: 'ref/resource', uri: `${uri}/{dialect}` } as const
    expect(await agent.complete(both, 'dialect', 'p')).toEqual(['postgresql'])
    expect(await agent.complete(both, 'domain', 'Mem', { dialect: 'postgresql' })).toEqual(['Member'])
    expect(await agent.complete(both, 'domain', 'Mem')).toEqual(['Member', 'MembershipGrade'])
  })

  test('are listed page by page, without a file that is damaged', async () => {
    const { agent, generate, dataDir } = await open()
    for (let number = 10; number < 70; number++) await generate(membershipGrade({ domainName: `Level${number}` }))
    await writeFile(join(dataDir, 'catalogue', 'mysql', 'tb_level30.json'), '{')
    const listed = (await agent.listResources()).map(({ name }) => name)
    const all = Array.from({ length: 60 }, (_, place) => `Level${place + 10}`)
    expect(listed).toEqual(all.filter((name) => name !== 'Level30'))
    expect(agent.logs.at(-1)).toMatchObject({ level: 'warn', table: 'tb_level30' })
    await expect(agent.readResource('schema://syncboot/domain/Level30')).rejects.toThrow('is damaged')
  })
})
