import { describe, expect, jest, test } from '@jest/globals'
import { CliProcess } from './cli-process.js'
import { answerError, answerResult, beginStream, complete, progress } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = playedHubs()

describe('the bin', () => {
  test('calls a tool with arguments from its standard input and leaves no connection open behind it', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).end(progress(1, 25) + complete(2))
    })
    const { code, stdout, stderr } = await CliProcess.start(['call', 'tool', '-'], at.env).end('{"x":1}')
    expect(JSON.parse(stdout)).toEqual({ reportId: 'rep-1' })
    expect(stderr).toContain('step 1')
    expect(at.requests[0]?.body.params?.arguments).toEqual({ x: 1 })
    expect(code).toBe(0)
  })

  test('gives its exit code to the shell', async () => {
    const at = await startHub((_request, response) => answerError(response, 'CANCELLED'))
    const { code } = await CliProcess.start(['call', 'tool'], at.env).end()
    expect(code).toBe(4)
  })

  test('takes address and key from the environment', async () => {
    const at = await startHub((_request, response) => answerResult(response))
    await CliProcess.start(['call', 'tool'], { ...at.env, SYNCHUB_API_KEY: 'shk_1' }).end()
    expect(at.requests[0]?.headers.authorization).toBe('Bearer shk_1')
  })
})
