import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import {
  CALL_HEADERS,
  CALL_ID,
  CALL_RESULT,
  COMPLETED,
  callView,
  completeBytes,
  END_BYTES,
  errorObject,
  eventBytes,
  openStream,
  progressBytes,
  sendError,
  sendResult,
  TRACE_ID,
} from './hub-answers.js'
import { type Script, scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

/** A hub whose first connection brings one progress and is cut; `states` is what calls/get says, look by look. */
function cutAfterProgress(states: Record<string, unknown>[], watched = ''): Script {
  let looks = 0
  return ({ body, path }, response) => {
    if (body.method === 'calls/get') return sendResult(response, states[Math.min(looks++, states.length - 1)])
    openStream(response, path === '/rpc' ? CALL_HEADERS : {})
    if (path !== '/rpc') return void response.end(watched + END_BYTES)
    response.write(progressBytes(3, 100))
    setImmediate(() => response.destroy())
  }
}

describe('call through an outage', () => {
  test('sends the same key again while the hub does not say that it has the call', async () => {
    const at = await startHub((_request, response, index) => {
      if (index === 0) return sendError(response, 'HUB_UNAVAILABLE')
      if (index === 1) return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
      sendResult(response, CALL_RESULT)
    })
    await createClient({ baseUrl: at.url }).call('tool', { x: 1 })
    const keys = at.requests.map(({ body }) => body.params?._meta?.idempotencyKey)
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
  })

  test('waits for a hub that is not there yet', async () => {
    const at = await startHub((_request, response) => sendResult(response, CALL_RESULT))
    await at.pause()
    const call = createClient({ baseUrl: at.url }).call('tool', {})
    await at.resume()
    await expect(call).resolves.toMatchObject(CALL_RESULT)
  })

  test('gives up after the outage it was told to bear and names the key to ask with', async () => {
    const at = await startHub(() => undefined)
    await at.pause()
    const call = createClient({ baseUrl: at.url }).call('tool', {}, { outageTimeoutMs: 400, idempotencyKey: 'key-1' })
    await expect(call).rejects.toMatchObject({
      code: 'HUB_UNAVAILABLE',
      details: { nextStep: expect.stringContaining('key-1') },
    })
  })

  test('never takes a closed socket for success, and never sends the call again once the hub has it', async () => {
    const at = await startHub(
      cutAfterProgress([callView('running'), callView('running'), callView('completed', COMPLETED)]),
    )
    const result = await createClient({ baseUrl: at.url }).call('tool', {})
    expect(result.structuredContent).toEqual({ reportId: 'rep-1' })
    expect(at.rpc('tools/call')).toHaveLength(1)
    expect(at.rpc('calls/get')).toHaveLength(3)
  })

  test('goes on telling progress from the trace after the last event seen, each once', async () => {
    const watched = progressBytes(3, 50) + progressBytes(4, 70) + completeBytes(5)
    const at = await startHub(cutAfterProgress([callView('running'), callView('completed', COMPLETED)], watched))
    const told: number[] = []
    let accepted = 0
    await createClient({ baseUrl: at.url }).call(
      'tool',
      {},
      {
        onAccepted: () => accepted++,
        onProgress: ({ seq }) => told.push(seq),
      },
    )
    expect(told).toEqual([3, 4])
    expect(accepted).toBe(1)
    const watch = at.requests.find(({ path }) => path === `/traces/${TRACE_ID}/events`)
    expect(Object.fromEntries(watch?.query ?? [])).toMatchObject({ after: '3-a', callId: CALL_ID })
  })

  test('survives a restart of the hub in the middle of the call', async () => {
    const at = await startHub(({ body, path }, response) => {
      if (body.method === 'calls/get')
        return sendResult(response, callView(calls++ === 0 ? 'running' : 'completed', COMPLETED))
      openStream(response, path === '/rpc' ? CALL_HEADERS : {})
      if (path === '/rpc') response.write(progressBytes(3))
      else response.end(completeBytes(4) + END_BYTES)
    })
    let calls = 0
    const call = createClient({ baseUrl: at.url }).call(
      'tool',
      {},
      {
        onProgress: () => void at.pause().then(() => at.resume()),
      },
    )
    await expect(call).resolves.toMatchObject({ structuredContent: { reportId: 'rep-1' } })
    expect(at.rpc('tools/call')).toHaveLength(1)
  })

  test('rejects with the end that the record of the call tells', async () => {
    const error = errorObject('CANCELLED', 'by an operator')
    const at = await startHub(cutAfterProgress([callView('cancelled', { error })]))
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).rejects.toMatchObject({
      code: 'CANCELLED',
      reason: 'by an operator',
      details: { callId: CALL_ID, traceId: TRACE_ID },
    })
  })

  test('says that the outcome is unknown when the hub has lost the call', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') return sendError(response, 'NOT_FOUND')
      openStream(response, CALL_HEADERS)
      setImmediate(() => response.destroy())
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { callId: CALL_ID, traceId: TRACE_ID },
    })
    expect(at.rpc('tools/call')).toHaveLength(1)
  })

  test('does not take the failure of the hub on the stream for that of the call', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') return sendResult(response, callView('completed', COMPLETED))
      openStream(response, CALL_HEADERS)
      response.end(eventBytes(1, 'failed', { error: errorObject('HUB_UNAVAILABLE', 'the store is away') }))
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).resolves.toMatchObject({ isError: false })
  })

  test('waits on when the hub says that its own wait is over and the call goes on', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') return sendResult(response, callView('completed', COMPLETED))
      sendError(response, 'DEADLINE_EXCEEDED', { callId: CALL_ID, traceId: TRACE_ID, links: { call: '/calls/1' } })
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).resolves.toMatchObject({ isError: false })
  })

  test('asks the record at a pace where the trace cannot be watched', async () => {
    let looks = 0
    const at = await startHub(({ body, path }, response) => {
      if (body.method === 'calls/get')
        return sendResult(response, callView(looks++ < 2 ? 'running' : 'completed', COMPLETED))
      if (path !== '/rpc') return sendError(response, 'INVALID_PARAMS')
      openStream(response, CALL_HEADERS)
      setImmediate(() => response.destroy())
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).resolves.toMatchObject({ isError: false })
  })

  test('fetches a result that is too large for an event', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'calls/get') return sendResult(response, callView('completed', COMPLETED))
      openStream(response, CALL_HEADERS)
      const data = { progress: 100, total: 100, isError: false, executionTimeMs: 5, resultLink: '/calls/1' }
      response.end(eventBytes(1, 'complete', data))
    })
    const result = await createClient({ baseUrl: at.url }).call('tool', {})
    expect(result.structuredContent).toEqual({ reportId: 'rep-1' })
  })
})
