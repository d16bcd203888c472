import { afterEach, describe, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { callRogue, connect, json, outcomeOf, STREAM_HEAD, sending, serveRogue } from './rogue-agent.js'

const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: '?', requestedSchema: {} },
}
const wish = { inputRequests: { q: question }, requestState: 'opaque' }
const input = { resultType: 'input_required', ...wish }
const answered = (result: unknown) => json({ jsonrpc: '2.0', id: REQUEST.callId, result })
const told = (data: unknown) => [STREAM_HEAD, `event: input_required\ndata: ${JSON.stringify(data)}\n\n`]
const broken = (reason: string) => ({
  kind: 'broken',
  error: { code: 'CONTRACT_BROKEN', reason: expect.stringContaining(reason) },
})

afterEach(closeAll)

describe('a native agent that asks its caller', () => {
  test('does so with a JSON answer, and with the last event of a stream', async () => {
    expect(await outcomeOf(answered(input))).toEqual({ kind: 'input', input })
    expect(await outcomeOf(...told(wish))).toEqual({ kind: 'input', input })
    const afterwards = 'event: complete\ndata: {"result":{}}\n\n'
    expect(await outcomeOf(...told(wish), afterwards)).toEqual({
      kind: 'input',
      input,
    })
  })

  test('may tell progress before it asks', async () => {
    const [head = '', event = ''] = told(wish)
    const seen = await callRogue(sending(head, 'event: progress\ndata: {"progress":1}\n\n', event))
    expect(seen).toEqual({
      progress: [{ progress: 1 }],
      signsOfLife: 0,
      outcome: { kind: 'input', input },
    })
  })

  test('is told what its caller can be asked, and gets the answers with its own state', async () => {
    const agent = await serveRogue(sending(answered({ content: [] })))
    const given = {
      responses: { q: { action: 'decline' } },
      requestState: 'opaque',
    }
    await call(connect(agent.url), undefined, {
      inputCapabilities: { elicitation: {} },
      input: given,
    })
    expect(JSON.parse(agent.requests.at(0)?.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      params: {
        inputResponses: { q: { action: 'decline' } },
        requestState: 'opaque',
        _meta: {
          callId: REQUEST.callId,
          inputCapabilities: { elicitation: {} },
        },
      },
    })
  })

  test.each<[string, unknown, string]>([
    ['nothing at all', {}, 'inputRequests or requestState'],
    ['nothing, with a state', { requestState: 'opaque' }, 'asks nothing'],
    ['what no caller can answer', { inputRequests: { q: { method: 'user/ask' } } }, 'result.inputRequests.q'],
    ['with a state that is no text', { ...wish, requestState: 7 }, 'result.requestState'],
  ])('and asks %s breaks its contract', async (_case, data, reason) => {
    expect(await outcomeOf(answered({ resultType: 'input_required', ...Object(data) }))).toMatchObject(broken(reason))
    expect(await outcomeOf(...told(data))).toMatchObject(broken(reason))
  })

  test('and whose event holds no object breaks its contract', async () => {
    expect(await outcomeOf(...told([]))).toMatchObject(broken('the data of input_required is no object'))
  })
})
