import { describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import {
  answerError,
  answerJson,
  answerRpc,
  beginStream,
  CALL_ID,
  complete,
  END,
  progress,
  TRACE_ID,
} from './hub-script.js'
import { type HubScript, playedHubs } from './scripted-hub.js'

const startHub = playedHubs()
const ORIGIN = '0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a11'
const ACCEPTED = { callId: CALL_ID, traceId: TRACE_ID, originCallId: ORIGIN, links: {} }

/** A hub that runs the call again, whose new call ends with what is given. */
function playRerun(state: string, members: Record<string, unknown>): HubScript {
  let watched = false
  return ({ path }, response) => {
    if (path === `/calls/${ORIGIN}/rerun`) return answerJson(response, ACCEPTED, 202)
    if (path === '/rpc') {
      const view = { callId: CALL_ID, traceId: TRACE_ID, tool: 'some_tool' }
      return answerRpc(response, watched ? { ...view, state, ...members } : { ...view, state: 'running' })
    }
    watched = true
    beginStream(response).end(progress(1, 50) + complete(2) + END)
  }
}

const COMPLETED = { content: [{ type: 'text', text: 'done again' }], isError: false, executionTimeMs: 5 }

describe('synchub rerun', () => {
  test('tells the new call and how to watch it', async () => {
    const at = await startHub(playRerun('completed', COMPLETED))
    const { code, stdout, stderr } = await runCommandLine(['rerun', ORIGIN, '--trace', 'again', '--key', 'k1'], at.env)
    expect(stdout).toBe(`call ${CALL_ID} in trace ${TRACE_ID}\n`)
    expect(stderr).toContain(`Watch it: synchub watch ${TRACE_ID}`)
    expect(code).toBe(0)
    expect(at.requests).toHaveLength(1)
    expect(at.requests[0]?.body).toEqual({ traceId: 'again', idempotencyKey: 'k1' })
  })

  test('prints it as JSON with --json', async () => {
    const at = await startHub(playRerun('completed', COMPLETED))
    const { stdout } = await runCommandLine(['rerun', ORIGIN, '--json'], at.env)
    expect(JSON.parse(stdout)).toMatchObject({ callId: CALL_ID, traceId: TRACE_ID })
  })

  test('shows its progress and prints its result with --wait', async () => {
    const at = await startHub(playRerun('completed', COMPLETED))
    const { code, stdout, stderr } = await runCommandLine(['rerun', ORIGIN, '--wait'], at.env)
    expect(stdout).toBe('done again\n')
    expect(stderr).toMatch(/some_tool {2}running {2}50% {2}step 1/)
    expect(code).toBe(0)
  })

  test('ends as the new call ends', async () => {
    const failing = await startHub(playRerun('completed', { ...COMPLETED, isError: true }))
    const failed = await runCommandLine(['rerun', ORIGIN, '--wait'], failing.env)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/^some_tool {2}tool_failed$/m)
    const refused = await startHub((_request, response) => answerError(response, 'METHOD_NOT_FOUND'))
    const { code, stderr } = await runCommandLine(['rerun', ORIGIN, '--wait'], refused.env)
    expect(code).toBe(3)
    expect(stderr).toContain('METHOD_NOT_FOUND')
  })
})
