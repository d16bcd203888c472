import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createLineLogger, defineAgent } from '@synchub/agent-sdk'
import { testAgent } from '@synchub/agent-sdk/testing'
import { REPORT_URI, ReportStore, reportIdOf, reportUri } from '../../src/report/report-store.js'
import { reportResource } from '../../src/resources/reports.js'
import { makeFolder, removeFolders } from '../temporary-folder.js'

async function open() {
  const folder = join(await makeFolder(), 'reports')
  const store = new ReportStore(folder, 1_000)
  const agent = testAgent(
    defineAgent({ name: 'Tester', version: '1.0.0', tools: [], resources: [reportResource(store)] }),
  )
  const write = async (name: string, atSeconds: number) => {
    await store.write(reportIdOf(name), `# ${name}\n`)
    await utimes(join(folder, `${reportIdOf(name)}.md`), atSeconds, atSeconds)
  }
  return { agent, write }
}

afterEach(removeFolders)

describe('the reports of SyncInsight', () => {
  test('are none before the first, and can be read once there is one', async () => {
    const { agent, write } = await open()
    expect(await agent.listResources()).toEqual([])
    await write('a', 1_000_000)
    const uri = reportUri(reportIdOf('a'))
    expect(await agent.readResource(uri)).toEqual({ uri, mimeType: 'text/markdown', text: '# a\n' })
    expect(await agent.listResources()).toEqual([
      {
        uri,
        name: reportIdOf('a'),
        title: 'Report of 1970-01-12 13:46',
        mimeType: 'text/markdown',
        size: 4,
        annotations: { lastModified: '1970-01-12T13:46:40.000Z' },
      },
    ])
  })

  test('are listed newest first, each once over all pages, also those of one instant', async () => {
    const { agent, write } = await open()
    for (let number = 0; number < 120; number++) await write(`r${number}`, 1_000 + Math.floor(number / 2))
    const times = (await agent.listResources()).map(({ annotations }) => Date.parse(Object(annotations).lastModified))
    expect(times).toHaveLength(120)
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    expect(new Set((await agent.listResources()).map(({ uri }) => uri)).size).toBe(120)
  })

  test('are suggested by the begin of their id, newest first', async () => {
    const { agent, write } = await open()
    for (const [at, name] of ['a', 'b', 'c'].entries()) await write(name, 1_000 + at)
    const suggest = (typed: string) => agent.complete({ type: 'ref/resource', uri: REPORT_URI }, 'reportId', typed)
    expect(await suggest('rep-')).toEqual(['c', 'b', 'a'].map(reportIdOf))
    expect(await suggest(reportIdOf('a').slice(0, 8))).toEqual([reportIdOf('a')])
    expect(await suggest('rep-z')).toEqual([])
  })

  test.each(['rep-1', '..', 'rep-0000000000000000', '%2E%2E%2Fsecret', 'rep-0000000000000000.md'])(
    'hold nothing at %s',
    async (id) => {
      const { agent, write } = await open()
      await write('a', 1_000)
      expect(await agent.readResource(`report://syncinsight/${id}`)).toBeUndefined()
    },
  )

  test.each(['', '1', '1:rep-1', 'x:rep-0000000000000000', '1:../../etc/passwd'])(
    'refuse %j as a cursor',
    async (cursor) => {
      const resource = reportResource(new ReportStore(await makeFolder(), 1))
      const ctx = { signal: new AbortController().signal, logger: createLineLogger(process.stderr) }
      await expect(resource.list({ cursor, limit: 10 }, ctx)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    },
  )
})
