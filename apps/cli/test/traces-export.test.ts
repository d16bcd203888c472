import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson, answerRpc, CALL_ID } from './hub-script.js'
import { type HubScript, playedHubs } from './scripted-hub.js'

const startHub = playedHubs()
const AT = '2026-01-01T00:00:00.000Z'

const EVENTS = [
  { event: 'received', members: { caller: 'SyncVerse', agent: 'SyncInsight' } },
  { event: 'complete', members: { resultLink: `/calls/${CALL_ID}`, resultBytes: 70_000, isError: false } },
].map(({ event, members }, at) => {
  const data = { seq: at + 1, at: AT, traceId: 'demo', callId: CALL_ID, tool: 'tool', ...members }
  return { id: `${at + 1}-7`, event, data }
})

function traceOf(traceId: string, state = 'completed') {
  const who = { rootTool: 'tool', rootAgent: 'SyncInsight', caller: 'SyncVerse' }
  const counts = { callCount: 1, openCalls: 0, lastSeq: 2 }
  return { traceId, owner: 'alice', state, ...who, ...counts, createdAt: AT, updatedAt: AT, links: {} }
}

/** A hub with an ended trace, one that runs, and one that is removed once it was listed. */
const playHub: HubScript = ({ path, query, body }, response) => {
  if (path === '/traces') {
    const items = [traceOf('demo'), traceOf('busy', 'running'), traceOf('old')]
    return answerJson(response, { items, asOf: AT })
  }
  if (path === '/traces/demo/events') return answerJson(response, { items: query.has('after') ? [] : EVENTS })
  if (path === '/traces/demo') {
    const call = { callId: CALL_ID, tool: 'tool', state: 'completed', attempt: 1, createdAt: AT, children: [] }
    return answerJson(response, { ...traceOf('demo'), cursor: '2-7', calls: [call], truncated: false })
  }
  if (path === '/traces/busy') return answerJson(response, { ...traceOf('busy', 'running'), cursor: '2-7', calls: [] })
  if (path === '/rpc' && body.method === 'calls/get') {
    const whole = { arguments: { apiKey: 'secret' }, result: { rows: 3 }, content: [] }
    return answerRpc(response, { callId: CALL_ID, traceId: 'demo', state: 'completed', ...whole })
  }
  return answerError(response, 'NOT_FOUND')
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'synchub-export-'))
})
afterEach(() => rm(folder, { recursive: true }))

const FILE = '20260101T000000Z_alice_demo_2.ndjson'

describe('synchub traces export', () => {
  test('writes what has ended into files that replay without a hub', async () => {
    const at = await startHub(playHub)
    const exported = await runCommandLine(['traces', 'export', '--to', folder, '--since', '2025-12-31'], at.env)
    expect(exported).toMatchObject({ code: 0, stderr: '1 written, 1 still running, 1 not there\n' })
    expect(exported.stdout.trimEnd()).toBe(join(folder, FILE))
    expect(at.requests.find(({ path }) => path === '/traces')?.query.get('from')).toBe('2025-12-31T00:00:00.000Z')
    const text = await readFile(join(folder, FILE), 'utf8')
    expect(text).toContain('{"result":{"callId":')
    expect(text).not.toContain('secret')
    // No hub listens there.
    const env = { SYNCHUB_URL: 'http://127.0.0.1:1' }
    const replayed = await runCommandLine(['replay', join(folder, FILE), '--speed', 'max', '--json'], env)
    expect(replayed.code).toBe(0)
    const items = replayed.stdout.trimEnd().split('\n')
    expect(items.map((line) => JSON.parse(line) as unknown)).toEqual(EVENTS)
  })

  test('goes on where it was stopped: what is there is left as it is', async () => {
    const at = await startHub(playHub)
    await writeFile(join(folder, FILE), 'as it is')
    const { code, stderr } = await runCommandLine(['traces', 'export', 'demo', '--to', folder], at.env)
    expect([code, stderr]).toEqual([0, '0 written, 1 there already\n'])
    expect(await readdir(folder)).toEqual([FILE])
  })

  test('says which named trace is not there', async () => {
    const at = await startHub(playHub)
    const { code, stderr } = await runCommandLine(['traces', 'export', 'nothing', '--to', folder], at.env)
    expect([code, stderr]).toEqual([3, expect.stringContaining('NOT_FOUND')])
  })

  test('says so where the folder cannot be written', async () => {
    const at = await startHub(playHub)
    await writeFile(join(folder, 'file'), '')
    const to = join(folder, 'file')
    const { code, stderr } = await runCommandLine(['traces', 'export', 'demo', '--to', to], at.env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--to ${to}: cannot be written`)])
    // A file system that takes no folder at all.
    const nowhere = await runCommandLine(['traces', 'export', 'demo', '--to', '/proc/x'], at.env)
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--to /proc/x: cannot be written (E')])
  })

  test('could be asked for one state only, and of several the last one won', async () => {
    const at = await startHub(playHub)
    const states = ['--state', 'completed,tool_failed', '--state', 'unknown']
    await runCommandLine(['traces', 'export', '--to', folder, ...states], at.env)
    await runCommandLine(['traces', ...states], at.env)
    const asked = at.requests.filter(({ path }) => path === '/traces').map(({ query }) => query.get('state'))
    expect(asked).toEqual(['completed,tool_failed,unknown', 'completed,tool_failed,unknown'])
    const running = await runCommandLine(['traces', 'export', '--to', folder, '--state', 'running'], at.env)
    expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('Known states: unknown, failed')])
  })

  test('leaves the list of traces as it was', async () => {
    const at = await startHub(playHub)
    const { code, stdout } = await runCommandLine(['traces', '--state', 'completed'], at.env)
    expect([code, stdout]).toEqual([0, expect.stringContaining('demo')])
  })
})

describe('synchub replay of a file', () => {
  test('names the line that is broken', async () => {
    const file = join(folder, 'broken.ndjson')
    await writeFile(file, '{"archive":"synchub-trace","version":1,"trace":{}}\n{"event":\n')
    const { code, stderr } = await runCommandLine(['replay', file])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}: line 2 is not JSON`)])
  })

  test('says so where there is none', async () => {
    const file = join(folder, 'none.ndjson')
    const { code, stderr } = await runCommandLine(['replay', file])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}: cannot be read`)])
  })
})
