import { describe, expect, test } from '@jest/globals'
import { type ErrorCode, errorDefinition, errorResponse, HubError } from '@synchub/protocol'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson, beginStream, CALL_ID } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

/** The advice that a command prints where the hub refuses with this. */
async function adviceFor(code: ErrorCode, ...words: string[]) {
  const at = await startHub((_request, response) => answerError(response, code))
  const { stdout, stderr } = await runCommandLine([...words, '--url', at.url])
  return { stdout, advice: /next: (.*)/.exec(stderr)?.[1], url: at.url }
}

describe('what to do next, which was told as to callers on the wire', () => {
  test('is to set the key where the hub asked for a header', async () => {
    for (const words of [
      ['call', 'tool'],
      ['cancel', CALL_ID],
    ]) {
      expect((await adviceFor('UNAUTHENTICATED', ...words)).advice).toMatch(/^Set SYNCHUB_API_KEY to a key of this hub/)
    }
  })

  test('is to list the tools of the same hub where one was not found', async () => {
    const { advice, url } = await adviceFor('METHOD_NOT_FOUND', 'call', 'tool')
    expect(advice).toBe(`List the tools that you may call with: synchub agents --url ${url}`)
  })

  test('is to ask for the outcome of the call whose wait ran out', async () => {
    const at = await startHub((_request, response) => void beginStream(response))
    const { stderr } = await runCommandLine(['call', 'tool', '--timeout', '100ms'], at.env)
    expect(stderr).toMatch(new RegExp(`next: .*do not send it again.* with: synchub outcome ${CALL_ID}$`, 'm'))
  })

  test('is to check the key, which was called an id, where it finds no call', async () => {
    const { advice, url } = await adviceFor('NOT_FOUND', 'outcome', '--key', 'k')
    expect(advice).toMatch(/^Check the key:/)
    expect(advice).toMatch(new RegExp(`: synchub traces --url ${url}$`))
  })

  test('is to list the dead letters where a call is none', async () => {
    const place = { path: 'callId', nextStep: 'GET /dead-letters lists the calls that can be resolved.' }
    const none = new HubError('INVALID_PARAMS', 'the call is completed', place)
    const at = await startHub((_request, response) => answerJson(response, errorResponse(1, none, '/'), 422))
    const { stderr } = await runCommandLine(['resolve', CALL_ID, '--reason', 'it ran'], at.env)
    expect(stderr).toContain('next: List the calls that can be resolved with: synchub dead-letters\n')
  })

  test('stays as it is for machines, and where it was said of this very failure', async () => {
    const { stdout } = await adviceFor('UNAUTHENTICATED', 'call', 'tool', '--json')
    const general = errorDefinition('UNAUTHENTICATED').nextStep
    expect(JSON.parse(stdout)).toMatchObject({ error: { data: { nextStep: general } } })
    const over = new HubError('UNAUTHENTICATED', 'nobody waits for this attempt', { nextStep: 'Stop.' })
    const at = await startHub((_request, response) => answerJson(response, errorResponse(1, over, '/'), 401))
    expect((await runCommandLine(['call', 'tool'], at.env)).stderr).toContain('next: Stop.\n')
  })
})
