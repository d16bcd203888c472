import { describe, expect, jest, test } from '@jest/globals'
import stripAnsi from 'strip-ansi'
import { CliProcess } from './cli-process.js'
import { beginStream, CALL_ID, complete, END, event, failed, playTrace, progress, TRACE_ID } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = playedHubs()

const second = { callId: 'call-2', tool: '연구_도구' }

describe('the bars on a terminal', () => {
  test('show several calls of a trace at once, redrawn in place', async () => {
    let finish: () => void = () => undefined
    const at = await startHub(
      playTrace((response) => {
        response.write(progress(1, 40) + event(2, 'progress', { ...second, progress: 80, total: 100 }))
        finish = () => void response.end(complete(3) + failed(4, 'it broke', second) + END)
      }),
    )
    const cli = CliProcess.startInTerminal(['watch', TRACE_ID], at.env)
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

  test('show a call that was made for another below it, until both have ended', async () => {
    const child = { callId: 'call-2', tool: 'child_tool' }
    let finish: () => void = () => undefined
    const received = { caller: 'A', agent: 'B' }
    const begin =
      event(1, 'received', received) + event(2, 'received', { ...received, ...child, parentCallId: CALL_ID })
    const at = await startHub(
      playTrace((response) => {
        response.write(begin + progress(3, 40) + failed(4, 'it broke', child))
        finish = () => void response.end(complete(5) + END)
      }),
    )
    const cli = CliProcess.startInTerminal(['watch', TRACE_ID], at.env)
    await cli.until('└─ child_tool')
    await cli.until(' 40%')
    finish()
    const { stdout } = await cli.ended()
    expect(stripAnsi(stdout)).toMatch(
      /✔ tool +█{20} 100%.*\r?\n✘ └─ child_tool .*failed\r?\n {2}Internal Error: it broke/,
    )
  })

  test('of a trace that has ended show the recorded times of its calls', async () => {
    const error = { code: -32603, message: 'it broke', data: {} }
    const events = [
      event(1, 'received', { caller: 'A', agent: 'B' }),
      event(2, 'failed', { error, at: '2026-01-01T00:02:03.000Z' }),
    ]
    const at = await startHub(playTrace(events.join('') + END, { state: 'failed', error }))
    const { stdout } = await CliProcess.startInTerminal(['watch', TRACE_ID], at.env).ended()
    expect(stripAnsi(stdout)).toMatch(/✘ tool .* 2m03s {2}failed/)
  })

  test('of a call stand on standard error while its result is printed after them', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).end(progress(1, 40) + complete(2))
    })
    const { code, stdout } = await CliProcess.startInTerminal(['call', 'tool'], at.env).ended()
    // In pipes alone it was said where the call is found.
    expect(stripAnsi(stdout)).toMatch(new RegExp(`^call ${CALL_ID} in trace ${TRACE_ID}\\r?$`, 'm'))
    expect(stripAnsi(stdout)).toMatch(/✔ tool +█{20} 100%[\s\S]*"reportId": "rep-1"/)
    expect(code).toBe(0)
  })

  test('have no colours with NO_COLOR and with --no-color', async () => {
    const at = await startHub(playTrace(progress(1, 40) + complete(2) + END))
    const runs = [
      { words: ['watch', TRACE_ID], env: at.env, colored: true },
      { words: ['watch', TRACE_ID], env: { ...at.env, NO_COLOR: '1' }, colored: false },
      { words: ['watch', TRACE_ID, '--no-color'], env: at.env, colored: false },
    ]
    for (const run of runs) {
      const { stdout } = await CliProcess.startInTerminal(run.words, run.env).ended()
      expect(stdout.includes('\u001b[32m')).toBe(run.colored)
    }
  })

  test('are plain lines where the terminal cannot move its cursor', async () => {
    const at = await startHub(playTrace(progress(1, 40) + complete(2) + END))
    const { stdout } = await CliProcess.startInTerminal(['watch', TRACE_ID], { ...at.env, TERM: 'dumb' }).ended()
    expect(stdout).toContain('#1  progress  tool')
    expect(stdout).not.toContain('\u001b[1A')
  })

  test('leave the call going at Ctrl-C and give the cursor back', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).write(progress(1, 40))
    })
    const cli = CliProcess.startInTerminal(['call', 'tool'], at.env)
    await cli.until(' 40%')
    cli.interrupt('key')
    await cli.until('Press Ctrl-C again')
    cli.interrupt('key')
    const { code, stdout } = await cli.ended()
    expect(stripAnsi(stdout)).toContain(`Cancel it with: synchub cancel ${CALL_ID}`)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
    expect(code).toBe(130)
    expect(at.requests).toHaveLength(1)
  })
})
