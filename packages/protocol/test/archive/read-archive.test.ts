import { describe, expect, test } from '@jest/globals'
import {
  type ArchiveItem,
  encodeArchiveCall,
  encodeArchiveEnd,
  encodeArchiveEvent,
  encodeArchiveHeader,
  encodeArchiveResult,
  readArchive,
} from '../../src/index.js'

const TRACE = {
  traceId: 'demo',
  owner: 'local',
  state: 'completed',
  rootTool: 'tool',
  rootAgent: 'Agent',
  caller: 'SyncVerse',
  callCount: 1,
  openCalls: 0,
  lastSeq: 2,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:01.000Z',
  links: {},
} as const

const CALL = {
  callId: 'c1',
  traceId: 'demo',
  tool: 'tool',
  agent: 'Agent',
  caller: 'SyncVerse',
  state: 'completed',
  mode: 'queued',
  attempt: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const

// Numbers and spaces as they were written: what watchers saw is not made anew.
const data = (seq: number) => `{"seq":${seq},"at":"2026-01-01T00:00:00.000Z","callId":"c1","tool":"tool","cost":1.50}`

const LINES = [
  encodeArchiveHeader({ writtenBy: 'synchub 0.1.0', writtenAt: '2026-01-02T00:00:00.000Z', trace: TRACE }),
  encodeArchiveCall(CALL),
  encodeArchiveEvent({ id: '1-7', event: 'received', data: data(1) }),
  encodeArchiveEvent({ id: '2-7', event: 'complete', data: data(2) }),
  encodeArchiveResult({ callId: 'c1', result: { rows: [1] } }),
  encodeArchiveEnd(2),
]

async function readAll(lines: readonly string[]): Promise<ArchiveItem[]> {
  const items: ArchiveItem[] = []
  for await (const item of readArchive(lines)) items.push(item)
  return items
}

const replaced = (at: number, ...lines: readonly string[]) => LINES.toSpliced(at, 1, ...lines)

describe('an archive of a trace', () => {
  test('is read as it was written', async () => {
    expect(await readAll(LINES)).toMatchObject([
      { kind: 'header', version: 1, trace: { traceId: 'demo', lastSeq: 2 } },
      { kind: 'call', call: { callId: 'c1' } },
      { kind: 'event', id: '1-7', event: 'received', data: { seq: 1, cost: 1.5 } },
      { kind: 'event', id: '2-7', event: 'complete' },
      { kind: 'result', result: { callId: 'c1', result: { rows: [1] } } },
    ])
    expect(LINES[2]).toContain(data(1))
  })

  test('holds what a later version has added, which is passed over', async () => {
    const later = ['{"event":"pondered","id":"2-7","data":{}}', encodeArchiveEnd(2)]
    const lines = [...LINES.slice(0, 3), '{"weather":{"sky":"blue"}}', ...later]
    expect((await readAll(lines)).map(({ kind }) => kind)).toEqual(['header', 'call', 'event'])
  })

  test.each([
    ['is empty', [], 'line 1 is missing'],
    ['is something else', ['{"name":"package"}'], 'line 1 is no header of an archive'],
    [
      'is of a later version',
      replaced(0, '{"archive":"synchub-trace","version":2,"trace":{}}'),
      'version 2 of the format',
    ],
    ['has a line that is no JSON', replaced(2, '{"event":'), 'line 3 is not JSON'],
    ['has a line that is no object', replaced(1, '17'), 'line 2 is no JSON object'],
    ['has an event without an id', replaced(2, '{"event":"received","data":{}}'), 'line 3 is no event'],
    [
      'has an event that is not whole',
      replaced(3, '{"event":"complete","id":"2-7","data":{"seq":2}}'),
      'line 4 is an event "complete"',
    ],
    ['was cut off', LINES.slice(0, 4), 'line 4 is not the last one that was written'],
    ['lost a line in between', replaced(2), 'line 5 says that there are 2 events, and there are 1'],
    ['goes on behind its end', [...LINES, ...LINES], 'line 7 stands behind the last line'],
  ])('that %s is refused, naming the line', async (_what, lines, reason) => {
    await expect(readAll(lines)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      reason: expect.stringContaining(reason),
    })
  })
})
