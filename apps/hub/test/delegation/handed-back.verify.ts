import { afterAll, describe, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { callTool, getCall, startCall } from '../hub-requests.js'
import { until } from '../until.js'
import { as, runDelegatingHub } from './delegating-hub.js'

afterAll(closeAll)

describe('a parent that is handed back', () => {
  test('keeps its calls, and finds them again in its next attempt', async () => {
    const own = await runDelegatingHub()
    const callId = await startCall(own.url, 'fragile', {}, {}, as('alice'))
    const first = await own.verse.workOn(callId)
    const key = { idempotencyKey: 'kept' }
    void callTool(own.url, 'relay', {}, key, first.headers)
    await until(() => own.inner.agent.calls.length === 1)
    const relayId = String(own.inner.agent.calls[0]?.id)
    await own.dispatcher.stop()
    expect((await getCall(own.url, callId, as('alice'))).state).toBe('queued')
    await own.startDispatcher()
    const second = await own.verse.workOn(callId, 2)
    expect((await getCall(own.url, relayId, second.headers)).state).toBe('running')
    const relay = await own.inner.workOn(relayId)
    const again = callTool(own.url, 'relay', {}, key, second.headers)
    relay.answer({ result: { found: true } })
    expect((await again).body).toMatchObject({
      result: { structuredContent: { found: true }, _meta: { replayed: true } },
    })
    second.answer({ result: {} })
  })
})
