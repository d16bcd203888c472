import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { ReportStore, reportIdOf, reportUri } from '../../src/report/report-store.js'
import { makeFiles, makeFolder, removeFolders } from '../temporary-folder.js'

afterEach(removeFolders)

const reportId = (name: string) => reportIdOf(name)

describe('ReportStore', () => {
  test('makes its folder and writes a report that stands alone in it', async () => {
    const folder = join(await makeFolder(), 'data', 'reports')
    await new ReportStore(folder, 10).write(reportId('a'), '# 보고서\n')
    expect(await readdir(folder)).toEqual([`${reportId('a')}.md`])
    expect(await readFile(join(folder, `${reportId('a')}.md`), 'utf8')).toBe('# 보고서\n')
  })

  test('replaces the report of an earlier attempt as a whole', async () => {
    const folder = await makeFolder()
    const store = new ReportStore(folder, 10)
    await Promise.all(['one', 'two'].map(async (text) => store.write(reportId('a'), text.repeat(100_000))))
    expect(await readdir(folder)).toHaveLength(1)
    expect(['one'.repeat(100_000), 'two'.repeat(100_000)]).toContain(
      await readFile(join(folder, `${reportId('a')}.md`), 'utf8'),
    )
  })

  test('keeps the newest reports and lets other files be', async () => {
    const folder = await makeFiles({ 'notes.md': 'mine' })
    const store = new ReportStore(folder, 2)
    for (const [age, name] of ['a', 'b', 'c'].entries()) {
      await store.write(reportId(name), name)
      const path = join(folder, `${reportId(name)}.md`)
      if ((await stat(path)).isFile()) await utimes(path, 1_000 + age, 1_000 + age)
    }
    const names = (await readdir(folder)).toSorted()
    expect(names).toEqual([`${reportId('b')}.md`, `${reportId('c')}.md`, 'notes.md'].toSorted())
  })

  test('leaves no draft behind when it cannot write', async () => {
    const folder = await makeFiles({ 'reports/x': '' })
    const store = new ReportStore(join(folder, 'reports', 'x'), 2)
    await expect(store.write(reportId('a'), 'text')).rejects.toMatchObject({ code: 'EEXIST' })
  })
})

describe('reportIdOf', () => {
  test('is the same for each attempt of a call and holds nothing of a callId from outside', () => {
    expect(reportIdOf('../../etc/passwd')).toMatch(/^rep-[0-9a-f]{16}$/)
    expect(reportIdOf('a')).toBe(reportIdOf('a'))
    expect(reportIdOf('a')).not.toBe(reportIdOf('b'))
    expect(reportUri('rep-1')).toBe('report://syncinsight/rep-1')
  })
})
