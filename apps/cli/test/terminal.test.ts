import { describe, expect, jest, test } from '@jest/globals'
import stripAnsi from 'strip-ansi'
import {
  CALL_HEADERS,
  CALL_ID,
  completeBytes,
  END_BYTES,
  errorObject,
  eventBytes,
  openStream,
  progressBytes,
  TRACE_ID,
} from '../../../packages/client/test/hub-answers.js'
import { CliProcess } from './cli-process.js'
import { hubsForCommands } from './hub-script.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = hubsForCommands()

const second = { callId: 'call-2', tool: '연구_도구' }

describe('the bars on a terminal', () => {
  test('show several calls of a trace at once, redrawn in place', async () => {
    let finish: () => void = () => undefined
    const { env } = await startHub((_request, response) => {
      openStream(response)
      response.write(progressBytes(1, 40) + eventBytes(2, 'progress', { ...second, progress: 80, total: 100 }))
      finish = () =>
        void response.end(
          completeBytes(3) +
            eventBytes(4, 'failed', { ...second, error: errorObject('INTERNAL_ERROR', 'it broke') }) +
            END_BYTES,
        )
    })
    const cli = CliProcess.startInTerminal(['watch', TRACE_ID], env)
    await cli.until(' 40%')
    await cli.until(' 80%')
    finish()
    const { code, stdout } = await cli.ended()
    expect(stdout).toContain('\u001b[1A')
    expect(stdout).toContain('\u001b[?25h')
    const screen = stripAnsi(stdout)
    expect(screen).toMatch(/✔ tool +█{20} 100%/)
    expect(screen).toMatch(/✘ 연구_도구 +█{16}░{4} {2}80%.*failed/)
    expect(screen).toContain('Internal Error: it broke')
    expect(code).toBe(0)
  })

  test('of a call stand on standard error while its result is printed after them', async () => {
    const { env } = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.end(progressBytes(1, 40) + completeBytes(2))
    })
    const { code, stdout } = await CliProcess.startInTerminal(['call', 'tool'], env).ended()
    expect(stripAnsi(stdout)).toMatch(/✔ tool +█{20}[\s\S]*"reportId": "rep-1"/)
    expect(code).toBe(0)
  })

  test('have no colours with NO_COLOR and with --no-color', async () => {
    const { env } = await startHub((_request, response) => {
      openStream(response)
      response.end(progressBytes(1, 40) + completeBytes(2) + END_BYTES)
    })
    const runs = [
      { words: ['watch', TRACE_ID], env, colored: true },
      { words: ['watch', TRACE_ID], env: { ...env, NO_COLOR: '1' }, colored: false },
      { words: ['watch', TRACE_ID, '--no-color'], env, colored: false },
    ]
    for (const run of runs) {
      const { stdout } = await CliProcess.startInTerminal(run.words, run.env).ended()
      expect(stdout.includes('\u001b[32m')).toBe(run.colored)
    }
  })

  test('are plain lines where the terminal cannot move its cursor', async () => {
    const { env } = await startHub((_request, response) => {
      openStream(response)
      response.end(progressBytes(1, 40) + completeBytes(2) + END_BYTES)
    })
    const { stdout } = await CliProcess.startInTerminal(['watch', TRACE_ID], { ...env, TERM: 'dumb' }).ended()
    expect(stdout).toContain('#1  progress  tool')
    expect(stdout).not.toContain('\u001b[1A')
  })

  test('leave the call going at Ctrl-C and give the cursor back', async () => {
    const { at, env } = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.write(progressBytes(1, 40))
    })
    const cli = CliProcess.startInTerminal(['call', 'tool'], env)
    await cli.until(' 40%')
    cli.interrupt('key')
    await cli.until('Press Ctrl-C again')
    cli.interrupt('key')
    const { code, stdout } = await cli.ended()
    expect(stripAnsi(stdout)).toContain(`Cancel it with: synchub cancel ${CALL_ID}`)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
    expect(code).toBe(130)
    expect(at.rpc('tools/call')).toHaveLength(1)
  })
})
