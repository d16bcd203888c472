import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readArchive, type TraceSummary } from '@synchub/protocol'
import { type ArchivedEvent, type ArchiveSource, archiveName, readArchiveFile, writeArchive } from '../src/index.js'

const WRITTEN_AT = '2026-01-02T00:00:00.000Z'

const TRACE: TraceSummary = {
  traceId: 'job:7',
  owner: 'alice',
  state: 'completed',
  rootTool: 'tool',
  rootAgent: 'Agent',
  caller: 'SyncVerse',
  callCount: 2,
  openCalls: 0,
  lastSeq: 3,
  createdAt: '2026-01-01T10:20:30.456Z',
  updatedAt: '2026-01-01T10:20:31.000Z',
  links: {},
}

function eventOf(seq: number, event: string, callId: string, more = ''): ArchivedEvent {
  const at = '2026-01-01T10:20:30.456Z'
  return {
    id: `${seq}-5`,
    event,
    seq,
    callId,
    data: `{"seq":${seq},"at":"${at}","callId":"${callId}","tool":"tool"${more}}`,
  }
}

const EVENTS = [
  eventOf(1, 'received', 'c1'),
  eventOf(2, 'received', 'c2'),
  eventOf(3, 'complete', 'c1', ',"resultLink":"/calls/c1"'),
]

function sourceOf(events: readonly ArchivedEvent[] = EVENTS): ArchiveSource & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    trace: TRACE,
    tenant: 'acme',
    async *pages() {
      for (const event of events) yield [event]
    },
    async callOf(callId) {
      asked.push(callId)
      const { traceId, caller, createdAt } = TRACE
      const call = { callId, traceId, caller, createdAt, tool: 'tool', agent: 'Agent' }
      return callId === 'c2' ? null : { ...call, state: 'completed', mode: 'queued', attempt: 1 }
    },
    resultOf: async (callId) => ({ callId, result: { size: 'large' } }),
  }
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'synchub-archive-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a trace that is written into a folder', () => {
  test('is one file of its calls, its events as they were, and results that were too large for them', async () => {
    const source = sourceOf()
    const { file, isNew } = await writeArchive(join(folder, 'acme'), source, WRITTEN_AT)
    expect([isNew, file]).toEqual([true, join(folder, 'acme', '20260101T102030Z_alice_job%3A7_3.ndjson')])
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      archive: 'synchub-trace',
      version: 1,
      tenant: 'acme',
      writtenBy: expect.stringMatching(/^synchub \d/),
      writtenAt: WRITTEN_AT,
      trace: TRACE,
    })
    expect(lines.slice(1).map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual([
      ...['call', 'event', 'event', 'event', 'result', 'end'],
    ])
    expect(lines[2]).toBe(`{"event":"received","id":"1-5","data":${EVENTS[0]?.data}}`)
    expect(source.asked).toEqual(['c1', 'c2'])
  })

  test('is read again line by line', async () => {
    const { file } = await writeArchive(folder, sourceOf(), WRITTEN_AT)
    const kinds: string[] = []
    for await (const { kind } of readArchive(readArchiveFile(file))) kinds.push(kind)
    expect(kinds).toEqual(['header', 'call', 'event', 'event', 'event', 'result'])
  })

  test('leaves out what came after it was looked at', async () => {
    const { file } = await writeArchive(folder, sourceOf([...EVENTS, eventOf(4, 'received', 'c3')]), WRITTEN_AT)
    expect(await readFile(file, 'utf8')).not.toContain('"4-5"')
  })

  test('is not written again', async () => {
    await writeFile(join(folder, archiveName(TRACE)), 'as it is')
    expect(await writeArchive(folder, sourceOf(), WRITTEN_AT)).toMatchObject({ isNew: false })
    expect(await readFile(join(folder, archiveName(TRACE)), 'utf8')).toBe('as it is')
  })

  test('leaves nothing behind where it cannot be read to its end', async () => {
    const source = { ...sourceOf(), resultOf: () => Promise.reject(new Error('the store is away')) }
    await expect(writeArchive(folder, source, WRITTEN_AT)).rejects.toThrow('the store is away')
    expect(await readdir(folder)).toEqual([])
  })

  test('makes the folders above its own, also when several are written at once', async () => {
    const deep = join(folder, 'a', 'b', 'c')
    const traces = Array.from({ length: 5 }, (_, at) => ({ ...sourceOf(), trace: { ...TRACE, traceId: `t${at}` } }))
    await Promise.all(traces.map((source) => writeArchive(deep, source, WRITTEN_AT)))
    expect(await readdir(deep)).toHaveLength(5)
  })

  test('fails where the file system takes no folder, instead of trying for ever', async () => {
    const writing = writeArchive('/proc/synchub/archive', sourceOf(), WRITTEN_AT)
    await expect(writing).rejects.toMatchObject({ syscall: 'mkdir', path: '/proc/synchub' })
  })

  test('fails where the folder is none', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(writeArchive(join(folder, 'file'), sourceOf(), WRITTEN_AT)).rejects.toMatchObject({ syscall: 'mkdir' })
  })
})

test('a file that is not there fails where it is read', async () => {
  const reading = async () => {
    for await (const line of readArchiveFile(join(folder, 'none.ndjson'))) throw new Error(line)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'ENOENT' })
})
