import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import { CALL_ID, callView, failureCode, sendError, sendJson, sendResult, TRACE_ID } from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

describe('the client of a hub', () => {
  test.each(['ftp://hub', 'hub:4000/x y', '', 'http://user:secret@hub', 'http://hub/?key=1'])(
    'refuses the address %j and does not repeat what it holds',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(TypeError)
      expect(() => createClient({ baseUrl })).not.toThrow(/secret/)
    },
  )

  test('keeps a path before the hub, for a hub behind a proxy', async () => {
    const at = await startHub(({ path }, response) => sendResult(response, { path }))
    await createClient({ baseUrl: `${at.url}/synchub/` }).ping()
    expect(at.requests[0]?.path).toBe('/synchub/rpc')
  })

  test('asks for the run access token before each request, and sends none where there is none', async () => {
    const at = await startHub((_request, response) => sendResult(response, {}))
    const accessTokens = ['of-attempt-1', 'of-attempt-2', undefined]
    const client = createClient({ baseUrl: at.url, accessToken: () => accessTokens.shift() })
    for (let request = 0; request < 3; request++) await client.ping()
    const sent = at.requests.map(({ headers }) => headers.authorization)
    expect(sent).toEqual(['Bearer of-attempt-1', 'Bearer of-attempt-2', undefined])
  })

  test('refuses to carry two credentials', () => {
    const options = { baseUrl: 'http://hub', apiKey: 'shk_1', accessToken: () => 'of-attempt-1' }
    expect(() => createClient(options)).toThrow(/one credential/)
  })

  test('uses the fetch that it is given', async () => {
    const seen: string[] = []
    const answer = { jsonrpc: '2.0', id: 1, result: {} }
    const client = createClient({
      baseUrl: 'http://hub.test',
      fetch: async (input) => {
        seen.push(input instanceof Request ? input.url : input.toString())
        return Response.json(answer)
      },
    })
    await client.ping()
    expect(seen).toEqual(['http://hub.test/rpc'])
  })

  test('lists the tools of all pages', async () => {
    const at = await startHub(({ body }, response) => {
      const first = body.params?.cursor === undefined
      sendResult(response, first ? { tools: [{ name: 'a' }], nextCursor: 'p2' } : { tools: [{ name: 'b' }] })
    })
    expect(await createClient({ baseUrl: at.url }).tools()).toEqual([{ name: 'a' }, { name: 'b' }])
    expect(at.requests.map(({ body }) => body.params)).toEqual([{}, { cursor: 'p2' }])
  })

  test('starts a call without waiting for it', async () => {
    const links = { events: `/traces/${TRACE_ID}/events` }
    const at = await startHub((_request, response, index) => {
      if (index === 0) return sendError(response, 'HUB_UNAVAILABLE')
      sendResult(response, { _meta: { callId: CALL_ID, traceId: TRACE_ID }, links }, 202)
    })
    const started = await createClient({ baseUrl: at.url }).start('tool', { x: 1 }, { idempotencyKey: 'key-1' })
    expect(started).toEqual({ callId: CALL_ID, traceId: TRACE_ID, idempotencyKey: 'key-1', links })
    expect(at.requests[1]?.headers).toMatchObject({ prefer: 'respond-async', accept: 'application/json' })
  })

  test('finds a call by its id, and by its key', async () => {
    const at = await startHub((_request, response) => sendResult(response, callView('running')))
    const client = createClient({ baseUrl: at.url })
    expect(await client.getCall(CALL_ID)).toMatchObject({ state: 'running' })
    expect(await client.findCall({ idempotencyKey: 'key-1' })).toMatchObject({ callId: CALL_ID })
    expect(at.requests.map(({ body }) => body.params)).toEqual([{ callId: CALL_ID }, { idempotencyKey: 'key-1' }])
  })

  test('tells a key that no call came with apart from a failure', async () => {
    const at = await startHub((_request, response, index) => {
      sendError(response, index === 0 ? 'NOT_FOUND' : 'FORBIDDEN')
    })
    const client = createClient({ baseUrl: at.url })
    expect(await client.findCall({ idempotencyKey: 'key-1' })).toBeNull()
    expect(await failureCode(client.findCall({ idempotencyKey: 'key-1' }))).toBe('FORBIDDEN')
  })

  test('cancels a call with its reason', async () => {
    const answer = { callId: CALL_ID, state: 'cancelled', cancelled: true }
    const at = await startHub((_request, response) => sendJson(response, 200, answer))
    expect(await createClient({ baseUrl: at.url }).cancel(CALL_ID, { reason: 'not needed' })).toEqual(answer)
    expect(at.requests[0]).toMatchObject({ path: `/calls/${CALL_ID}/cancel`, body: { reason: 'not needed' } })
  })

  test('lists traces by its filter and reads one', async () => {
    const page = { items: [{ traceId: TRACE_ID }], nextCursor: 'n', asOf: '2026-01-01T00:00:00Z' }
    const at = await startHub(({ path }, response) => {
      sendJson(response, 200, path === '/traces' ? page : { traceId: TRACE_ID, calls: [], cursor: '3-a' })
    })
    const client = createClient({ baseUrl: at.url })
    expect(await client.traces({ states: ['failed', 'tool_failed'], tool: 't', limit: 5, cursor: 'c' })).toEqual(page)
    expect(await client.trace(TRACE_ID, { owner: 'alice' })).toMatchObject({ cursor: '3-a' })
    expect(at.requests.map(({ query }) => query.toString())).toEqual([
      'state=failed%2Ctool_failed&tool=t&limit=5&cursor=c',
      'owner=alice',
    ])
  })

  test('reads how much stands in the queues, and takes nothing else for it', async () => {
    const queues = [{ agent: 'A', waiting: 2, active: 1, delayed: 0 }]
    const at = await startHub((_request, response, index) => sendJson(response, 200, index === 0 ? { queues } : {}))
    const client = createClient({ baseUrl: at.url })
    expect(await client.queues()).toEqual(queues)
    expect(at.requests[0]?.path).toBe('/queues')
    expect(await failureCode(client.queues())).toBe('CONTRACT_BROKEN')
  })

  test('takes a hub that is not ready for an answer, with its clock', async () => {
    const checks = [{ name: 'redis', ok: false, detail: 'refused' }]
    const at = await startHub((_request, response) => sendJson(response, 503, { status: 'unready', checks }))
    const readiness = await createClient({ baseUrl: at.url }).ready()
    expect(readiness).toMatchObject({ ready: false, checks })
    expect(Math.abs(Date.now() - (readiness.hubTime?.getTime() ?? 0))).toBeLessThan(5000)
  })

  test('gives a request up when its signal aborts', async () => {
    const at = await startHub(() => undefined)
    const client = createClient({ baseUrl: at.url })
    await expect(client.ping({ signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('gives a request up when the hub takes it and says nothing', async () => {
    const at = await startHub(() => undefined)
    const client = createClient({ baseUrl: at.url, silenceTimeoutMs: 100 })
    await expect(client.ping()).rejects.toMatchObject({ code: 'HUB_UNAVAILABLE' })
  })

  test('takes no answer larger than its bound', async () => {
    const at = await startHub((_request, response) => sendResult(response, { text: 'x'.repeat(5000) }))
    const client = createClient({ baseUrl: at.url, maxAnswerBytes: 1000 })
    expect(await failureCode(client.ping())).toBe('CONTRACT_BROKEN')
  })
})
