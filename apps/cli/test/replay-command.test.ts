import { describe, expect, jest, test } from '@jest/globals'
import { CliProcess } from './cli-process.js'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson, CALL_ID, TRACE_ID } from './hub-script.js'
import { type HubScript, playedHubs } from './scripted-hub.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = playedHubs()

/** Events with one second between each and the next. */
const LOG = [
  { event: 'received', members: { caller: 'SyncVerse', agent: 'SyncInsight' } },
  { event: 'started', members: { attempt: 1 } },
  { event: 'progress', members: { token: 'prg-01', progress: 50, total: 100, message: 'half' } },
].map(({ event, members }, index) => {
  const seq = index + 1
  const at = `2026-01-01T00:00:0${index}.000Z`
  return { id: `${seq}-a`, event, data: { seq, at, traceId: TRACE_ID, callId: CALL_ID, tool: 'tool', ...members } }
})

const playLog: HubScript = ({ query }, response) => {
  const from = query.get('from')
  const start = from === null ? 0 : LOG.findIndex(({ id }) => id === from)
  answerJson(response, { items: query.has('after') ? [] : LOG.slice(start) })
}

describe('synchub replay', () => {
  test('prints what was recorded as synchub watch does, from the pages of the log', async () => {
    const at = await startHub(playLog)
    const { code, stdout } = await runCommandLine(['replay', TRACE_ID, '--speed', 'max'], at.env)
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  '))
    expect(words.map(([instant, seq, name]) => [instant, seq, name])).toEqual([
      ['2026-01-01T00:00:00.000Z', '#1', 'received'],
      ['2026-01-01T00:00:01.000Z', '#2', 'started'],
      ['2026-01-01T00:00:02.000Z', '#3', 'progress'],
    ])
    expect(words[2]?.slice(-2)).toEqual(['50%', 'half'])
    expect(code).toBe(0)
    expect(at.requests.every(({ path }) => path === `/traces/${TRACE_ID}/events`)).toBe(true)
  })

  test('begins with the event that is named, and prints one JSON object for each with --json', async () => {
    const at = await startHub(playLog)
    const words = ['replay', TRACE_ID, '--speed', 'max', '--from', '2-a', '--owner', 'alice', '--json']
    const { stdout } = await runCommandLine(words, at.env)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(LOG.slice(1))
    expect(at.requests[0]?.query.get('from')).toBe('2-a')
    expect(at.requests[0]?.query.get('owner')).toBe('alice')
  })

  test('keeps the pauses, at the speed and within the gap that are asked for', async () => {
    const at = await startHub(playLog)
    const startedMs = performance.now()
    await runCommandLine(['replay', TRACE_ID, '--speed', '20'], at.env)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(99)
    const { code } = await runCommandLine(['replay', TRACE_ID, '--max-gap', '1ms'], at.env)
    expect(code).toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(2000)
  })

  test('plays as a child process until Ctrl-C, and says how to go on in the same way', async () => {
    const at = await startHub(playLog)
    const options = ['--speed', '0.1', '--max-gap', '30s', '--owner', 'Kim & Lee', '--json']
    const cli = CliProcess.start(['replay', TRACE_ID, ...options, '--url', at.url])
    await cli.until('"seq":1')
    cli.interrupt('signal')
    const { code, stderr } = await cli.ended()
    expect(code).toBe(130)
    const again = `--from 1-a --speed 0.1 --max-gap 30000ms --owner 'Kim & Lee' --json --url ${at.url}`
    expect(stderr).toContain(`Stopped the replay. Go on with: synchub replay ${TRACE_ID} ${again}\n`)
  })

  test.each(['0', '-1', 'fast', 'Infinity', ''])('takes no speed of "%s"', async (speed) => {
    const at = await startHub(playLog)
    const { code, stderr } = await runCommandLine(['replay', TRACE_ID, `--speed=${speed}`], at.env)
    expect(code).toBe(2)
    expect(stderr).toContain('Give a number above 0, such as 1, 10 or 0.5, or max.')
    expect(at.requests).toHaveLength(0)
  })

  test('says what the hub refuses', async () => {
    const at = await startHub((_request, response) => answerError(response, 'NOT_FOUND'))
    const { code, stderr } = await runCommandLine(['replay', TRACE_ID], at.env)
    expect(code).toBe(3)
    expect(stderr).toContain('NOT_FOUND')
  })
})
