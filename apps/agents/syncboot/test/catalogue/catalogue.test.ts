import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { CatalogueFailure, openCatalogue } from '../../src/catalogue/catalogue.js'
import { openGenerator, sqlOf } from '../generator.js'
import { MEMBERSHIP_GRADE, membershipGrade } from '../membership-grade.js'
import { cleanUp, makeFolder } from '../places.js'
import { refusalOf } from '../refusal.js'

afterEach(cleanUp)

const FILE = join('mysql', 'tb_membership_grade.json')
const WITH_NOTE = membershipGrade({ fields: [...MEMBERSHIP_GRADE.fields, { name: 'note', type: 'TEXT' }] })

describe('the catalogue', () => {
  test('keeps one readable file for each table and dialect', async () => {
    const folder = await makeFolder()
    await (await openGenerator(folder))(MEMBERSHIP_GRADE, { callId: 'call-a' })
    expect(await readdir(join(folder, 'mysql'))).toEqual(['tb_membership_grade.json'])
    expect(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).toMatchObject({
      formatVersion: 1,
      domainName: 'MembershipGrade',
      revision: 1,
      table: { columns: [{ name: 'grade_code', type: 'VARCHAR(20)' }, {}, {}, {}, { touchedOnUpdate: true }] },
      lastChange: { callId: 'call-a', change: 'created' },
    })
  })

  test('is found again when it is opened anew', async () => {
    const folder = await makeFolder()
    await (await openGenerator(folder))(MEMBERSHIP_GRADE)
    const generate = await openGenerator(folder)
    expect(await generate(MEMBERSHIP_GRADE)).toMatchObject({ change: 'unchanged' })
    expect(await generate(WITH_NOTE)).toMatchObject({ change: 'altered' })
    expect(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).toMatchObject({ revision: 2 })
  })

  test('gives the call that made a change its ALTER statements again, and others the CREATE text', async () => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    await generate(MEMBERSHIP_GRADE)
    const first = await generate(WITH_NOTE, { callId: 'call-a' })
    const anew = await openGenerator(folder)
    expect(await anew(WITH_NOTE, { callId: 'call-a' })).toEqual(first)
    expect(await anew(WITH_NOTE, { callId: 'call-b' })).toMatchObject({ change: 'unchanged' })
  })

  test('lets calls for one table go one after another', async () => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    const schemas = await Promise.all(Array.from({ length: 20 }, () => generate(MEMBERSHIP_GRADE)))
    expect(schemas.map(({ change }) => change)).toEqual(['created', ...Array.from({ length: 19 }, () => 'unchanged')])
    expect(new Set(schemas.map(sqlOf)).size).toBe(1)
  })

  test('loses no change when calls of the same table come at once', async () => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    await generate(MEMBERSHIP_GRADE)
    const added = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ name: `extra${place}`, type: 'INT' }))
    const grown = Array.from({ length: 10 }, (_, place) =>
      membershipGrade({ fields: [...MEMBERSHIP_GRADE.fields, ...added(place + 1)] }),
    )
    const schemas = await Promise.all(grown.map((request) => generate(request)))
    expect(schemas.map(({ notes }) => notes)).toEqual(grown.map((_, place) => [`컬럼 추가 extra${place} INT`]))
    expect(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).toMatchObject({ revision: 11 })
  })

  test('goes on after a call that failed', async () => {
    const generate = await openGenerator(await makeFolder())
    await generate(MEMBERSHIP_GRADE)
    const refused = refusalOf(() => generate(membershipGrade({ enableAuditing: false })))
    const next = generate(MEMBERSHIP_GRADE)
    expect(await refused).toHaveProperty('detail')
    expect(await next).toMatchObject({ change: 'unchanged' })
  })

  test('stays as it was when the call is cancelled before its turn', async () => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    const cancelled = generate(MEMBERSHIP_GRADE, { signal: AbortSignal.abort(new Error('cancelled')) })
    await expect(cancelled).rejects.toThrow('cancelled')
    expect(await readdir(join(folder, 'mysql'))).toEqual([])
  })

  test('overwrites what a crash left of a file that was being written', async () => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    await writeFile(join(folder, `${FILE}.tmp`), '{"formatVersion"')
    expect(await generate(MEMBERSHIP_GRADE)).toMatchObject({ change: 'created' })
    expect(await readdir(join(folder, 'mysql'))).toEqual(['tb_membership_grade.json'])
  })

  test.each([
    ['an empty file', () => ''],
    ['half a file', (text: string) => text.slice(0, text.length / 2)],
    ['another version', (text: string) => text.replace('"formatVersion": 1', '"formatVersion": 2')],
    ['an unknown type', (text: string) => text.replace('VARCHAR(20)', 'VARCHAR(0)')],
    ['a missing member', (text: string) => text.replace('"primaryKey"', '"primary"')],
  ])('refuses %s and leaves it as it is', async (_, damage) => {
    const folder = await makeFolder()
    const generate = await openGenerator(folder)
    await generate(MEMBERSHIP_GRADE)
    const damaged = damage(await readFile(join(folder, FILE), 'utf8'))
    await writeFile(join(folder, FILE), damaged)
    await expect(generate(WITH_NOTE)).rejects.toThrow(
      "SyncBoot's catalogue file mysql/tb_membership_grade.json is damaged: restore it from a backup, or move it away to start this table anew",
    )
    expect(await readFile(join(folder, FILE), 'utf8')).toBe(damaged)
  })

  test('refuses a second domain for a table that another has', async () => {
    const generate = await openGenerator(await makeFolder())
    await generate(MEMBERSHIP_GRADE)
    expect(await refusalOf(() => generate(membershipGrade({ domainName: 'membershipGrade' })))).toMatchObject({
      path: 'domainName',
      expected: 'another name: the domain MembershipGrade already has the table tb_membership_grade',
    })
  })

  test('says so when its folder cannot be used', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    await expect(openCatalogue(file)).rejects.toThrow(CatalogueFailure)
    await expect(openCatalogue(file)).rejects.toThrow(/\(ENOTDIR\): make it writable or set another DATA_DIR$/)
  })
})
