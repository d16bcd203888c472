import type { ServerResponse } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { createClient } from '../src/index.js'
import {
  CALL_HEADERS,
  CALL_ID,
  CALL_RESULT,
  completeBytes,
  errorObject,
  eventBytes,
  openStream,
  progressBytes,
  sendError,
  sendJson,
  sendResult,
  TRACE_ID,
} from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

describe('call', () => {
  test('resolves with the answer of a short tool as it came', async () => {
    const at = await startHub((_request, response) => {
      sendResult(response, { ...CALL_RESULT, structuredContent: { a: 0 } })
    })
    const result = await createClient({ baseUrl: at.url }).call('tool', { x: 1 })
    expect(result).toEqual({ ...CALL_RESULT, structuredContent: { a: 0 } })
  })

  describe('that an earlier request with its key began', () => {
    const replayed = { ...CALL_HEADERS, 'SyncHub-Replayed': 'true' }
    const answers: Record<string, (response: ServerResponse) => void> = {
      'as JSON': (response) => sendJson(response, 200, { jsonrpc: '2.0', id: 1, result: CALL_RESULT }, replayed),
      'as a stream': (response) => {
        openStream(response, replayed)
        response.end(completeBytes(2))
      },
      'as a failure on a stream': (response) => {
        openStream(response, replayed)
        response.end(eventBytes(2, 'failed', { error: errorObject('INTERNAL_ERROR', 'boom') }))
      },
    }

    test.each(Object.entries(answers))('is marked as replayed, %s', async (_how, answer) => {
      const at = await startHub((_request, response) => answer(response))
      const call = (idempotencyKey?: string) =>
        createClient({ baseUrl: at.url })
          .call('tool', {}, { idempotencyKey })
          .then(({ _meta }) => _meta.replayed)
          .catch((thrown: HubError) => thrown.details.replayed)
      expect(await call('mine')).toBe(true)
      // A key that was made up for this call finds only what this call began itself.
      expect(await call()).toBeUndefined()
    })
  })

  test('sends the call as S0.2 has it, with a key of its own and the API key as a header', async () => {
    const at = await startHub((_request, response) => sendResult(response, CALL_RESULT))
    const client = createClient({ baseUrl: `${at.url}/`, apiKey: 'shk_1', callerAgent: 'SyncVerse' })
    await client.call('tool', { x: 1 }, { traceId: 't', targetAgent: 'SyncBoot', parentCallId: 'p' })
    await client.call('tool', {}, { idempotencyKey: 'mine' })
    const [first, second] = at.requests
    expect(first).toMatchObject({
      method: 'POST',
      path: '/rpc',
      headers: {
        accept: 'text/event-stream, application/json',
        authorization: 'Bearer shk_1',
        'content-type': 'application/json',
      },
      body: {
        method: 'tools/call',
        params: {
          name: 'tool',
          arguments: { x: 1 },
          _meta: {
            traceId: 't',
            callerAgent: 'SyncVerse',
            targetAgent: 'SyncBoot',
            parentCallId: 'p',
            idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
          },
        },
      },
    })
    expect(second?.body.params?._meta?.idempotencyKey).toBe('mine')
  })

  test('tells progress of a long tool in order and resolves with what completed it', async () => {
    const at = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.end(`: alive\n\n${progressBytes(3, 25)}${progressBytes(4, 80)}${completeBytes(5)}`)
    })
    const told: unknown[] = []
    const result = await createClient({ baseUrl: at.url }).call(
      'tool',
      {},
      {
        onAccepted: (ids) => told.push(ids),
        onProgress: ({ progress, message }) => told.push([progress, message]),
      },
    )
    expect(told).toEqual([{ callId: CALL_ID, traceId: TRACE_ID }, [25, 'step 3'], [80, 'step 4']])
    expect(result).toEqual({
      content: [],
      structuredContent: { reportId: 'rep-1' },
      isError: false,
      _meta: { callId: CALL_ID, traceId: TRACE_ID, executionTimeMs: 5 },
    })
  })

  test('resolves with a tool that ran and failed: that is a result', async () => {
    const at = await startHub((_request, response) => sendResult(response, { ...CALL_RESULT, isError: true }))
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).resolves.toMatchObject({ isError: true })
  })

  test('rejects with what the stream says the call ended with, naming the call', async () => {
    const at = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.end(
        progressBytes(1) + eventBytes(2, 'failed', { error: errorObject('INTERNAL_ERROR', 'the agent broke') }),
      )
    })
    const call = createClient({ baseUrl: at.url }).call('tool', {})
    await expect(call).rejects.toMatchObject({
      name: 'HubError',
      code: 'INTERNAL_ERROR',
      message: 'Internal Error: the agent broke',
      details: { callId: CALL_ID, traceId: TRACE_ID },
    })
  })

  test.each(['CANCELLED', 'OUTCOME_UNKNOWN'] as const)('keeps %s apart from other ends', async (code) => {
    const at = await startHub((_request, response) => {
      openStream(response, CALL_HEADERS)
      response.end(
        eventBytes(1, code === 'CANCELLED' ? 'cancelled' : 'failed', { error: errorObject(code, 'so it is') }),
      )
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).rejects.toMatchObject({ code, reason: 'so it is' })
  })

  test.each(['INVALID_PARAMS', 'AGENT_UNAVAILABLE', 'HITL_APPROVAL_REQUIRED', 'IDEMPOTENCY_CONFLICT'] as const)(
    'rejects with a refusal (%s) without asking again',
    async (code) => {
      const ids = { callId: CALL_ID, traceId: TRACE_ID }
      const details = { ...ids, path: 'city', expected: 'string', approvalTicketId: 't-1', retryAfterSeconds: 1 }
      const at = await startHub((_request, response) => sendError(response, code, details))
      const onAccepted = () => {
        throw new Error('a refused call was reported as accepted')
      }
      const call = createClient({ baseUrl: at.url }).call('tool', {}, { onAccepted })
      await expect(call).rejects.toMatchObject({ code, details })
      expect(at.requests).toHaveLength(1)
    },
  )

  test('never fills a result that is not whole with plausible values', async () => {
    const at = await startHub((_request, response) => {
      const { isError: _left, ...broken } = CALL_RESULT
      sendResult(response, broken)
    })
    await expect(createClient({ baseUrl: at.url }).call('tool', {})).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
  })

  test('says that a page of something else is no hub', async () => {
    const at = await startHub((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    })
    const call = createClient({ baseUrl: at.url }).call('tool', {})
    await expect(call).rejects.toMatchObject({ code: 'CONTRACT_BROKEN', message: expect.stringContaining(at.url) })
  })

  test('puts the API key into no error', async () => {
    const at = await startHub((_request, response) => sendError(response, 'UNAUTHENTICATED'))
    const client = createClient({ baseUrl: at.url, apiKey: 'shk_secret' })
    const thrown: unknown = await client.call('tool', {}).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(HubError)
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain('secret')
  })
})
