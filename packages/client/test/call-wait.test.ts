import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import {
  CALL_HEADERS,
  CALL_ID,
  callView,
  openStream,
  progressBytes,
  sendError,
  sendResult,
  TRACE_ID,
} from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

describe('the wait of a call', () => {
  test('ends at timeoutMs by saying that the call goes on, and closes the connection', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const at = await startHub((_request, response) => {
      closed = once(response, 'close')
      openStream(response, CALL_HEADERS)
      response.write(progressBytes(1))
    })
    const call = createClient({ baseUrl: at.url }).call('tool', {}, { timeoutMs: 300 })
    await expect(call).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      reason: 'no outcome within 300 ms; the call goes on',
      details: { callId: CALL_ID, traceId: TRACE_ID },
    })
    await closed
  })

  test('looks for the call by its key when no answer had begun', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') sendResult(response, callView('running'))
    })
    const call = createClient({ baseUrl: at.url }).call('tool', {}, { timeoutMs: 200, idempotencyKey: 'key-1' })
    await expect(call).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { callId: CALL_ID } })
    expect(at.rpc('calls/get')[0]?.body.params).toEqual({ idempotencyKey: 'key-1' })
  })

  test('does not claim that the call goes on when the hub may not have it', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') sendError(response, 'NOT_FOUND')
    })
    const call = createClient({ baseUrl: at.url }).call('tool', {}, { timeoutMs: 200, idempotencyKey: 'key-1' })
    await expect(call).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      reason: 'no answer within 200 ms; the hub may or may not have the call',
      details: { nextStep: expect.stringContaining('key-1') },
    })
  })

  test('ends with the reason of the signal when that aborts', async () => {
    const at = await startHub((_request, response) => openStream(response, CALL_HEADERS))
    const abort = new AbortController()
    const call = createClient({ baseUrl: at.url }).call(
      'tool',
      {},
      {
        signal: abort.signal,
        onAccepted: () => abort.abort(new Error('enough')),
      },
    )
    await expect(call).rejects.toThrow('enough')
  })

  test('ends an abort in the pause between two tries at once', async () => {
    const abort = new AbortController()
    const at = await startHub((_request, response) => {
      sendError(response, 'HUB_UNAVAILABLE', { retryAfterSeconds: 20 })
      setImmediate(() => abort.abort(new Error('enough')))
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {}, { signal: abort.signal })).rejects.toThrow('enough')
  })
})
