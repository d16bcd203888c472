import { describe, expect, jest, test } from '@jest/globals'
import {
  CALL_HEADERS,
  CALL_RESULT,
  completeBytes,
  openStream,
  progressBytes,
  sendError,
  sendResult,
} from '../../../packages/client/test/hub-answers.js'
import { CliProcess } from './cli-process.js'
import { hubsForCommands } from './hub-script.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = hubsForCommands()

describe('the bin', () => {
  test('calls a tool with arguments from its standard input and leaves no connection open behind it', async () => {
    const { at, env } = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.end(progressBytes(1, 25) + completeBytes(2))
    })
    const { code, stdout, stderr } = await CliProcess.start(['call', 'tool', '-'], env).end('{"x":1}')
    expect(JSON.parse(stdout)).toEqual({ reportId: 'rep-1' })
    expect(stderr).toContain('step 1')
    expect(at.rpc('tools/call')[0]?.body.params?.arguments).toEqual({ x: 1 })
    expect(code).toBe(0)
  })

  test('gives its exit code to the shell', async () => {
    const { env } = await startHub((_request, response) => sendError(response, 'CANCELLED'))
    const { code } = await CliProcess.start(['call', 'tool'], env).end()
    expect(code).toBe(4)
  })

  test('takes address and key from the environment', async () => {
    const { at, env } = await startHub((_request, response) => sendResult(response, CALL_RESULT))
    await CliProcess.start(['call', 'tool'], { ...env, SYNCHUB_API_KEY: 'shk_1' }).end()
    expect(at.rpc('tools/call')[0]?.headers.authorization).toBe('Bearer shk_1')
  })
})
