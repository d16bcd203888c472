import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import {
  CALL_ID,
  COMPLETED,
  callView,
  completeBytes,
  END_BYTES,
  failureCode,
  openStream,
  progressBytes,
  sendError,
  sendJson,
  sendResult,
  TRACE_ID,
} from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()
const ACCEPTED = { callId: CALL_ID, traceId: TRACE_ID, originCallId: 'origin', links: { self: `/calls/${CALL_ID}` } }

describe('rerun', () => {
  test('asks for the call once more and tells the new one', async () => {
    const at = await startHub((_request, response) => sendJson(response, 202, ACCEPTED))
    const client = createClient({ baseUrl: at.url, callerAgent: 'SyncVerse' })
    const started = await client.rerun('origin', { traceId: 'again', idempotencyKey: 'key-1' })
    expect(started).toEqual({
      callId: CALL_ID,
      traceId: TRACE_ID,
      idempotencyKey: 'key-1',
      links: { self: `/calls/${CALL_ID}` },
    })
    const [request] = at.requests
    expect([request?.method, request?.path]).toEqual(['POST', '/calls/origin/rerun'])
    expect(request?.body).toEqual({ traceId: 'again', callerAgent: 'SyncVerse', idempotencyKey: 'key-1' })
  })

  test('sends the same key again through an outage, so that the work is not done twice', async () => {
    const at = await startHub((_request, response, index) => {
      if (index === 0) response.destroy()
      else if (index === 1) sendError(response, 'HUB_UNAVAILABLE')
      else sendJson(response, 202, ACCEPTED)
    })
    const { idempotencyKey } = await createClient({ baseUrl: at.url }).rerun('origin')
    expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/)
    expect(at.requests.map(({ body }) => body)).toEqual([{ idempotencyKey }, { idempotencyKey }, { idempotencyKey }])
  })

  test.each(['NOT_FOUND', 'FORBIDDEN', 'METHOD_NOT_FOUND', 'AGENT_UNAVAILABLE'] as const)(
    'is refused once: %s',
    async (code) => {
      const at = await startHub((_request, response) => sendError(response, code))
      expect(await failureCode(createClient({ baseUrl: at.url }).rerun('origin'))).toBe(code)
      expect(at.requests).toHaveLength(1)
    },
  )

  test('takes an answer without the new call for none of our hub', async () => {
    const at = await startHub((_request, response) => sendJson(response, 202, { callId: CALL_ID }))
    expect(await failureCode(createClient({ baseUrl: at.url }).rerun('origin'))).toBe('CONTRACT_BROKEN')
  })
})

describe('wait', () => {
  const ids = { callId: CALL_ID, traceId: TRACE_ID }

  test('gives the result of a call that the hub has, and its progress meanwhile', async () => {
    let ended = false
    const at = await startHub(({ path }, response) => {
      if (path === '/rpc')
        return sendResult(response, callView(ended ? 'completed' : 'running', ended ? COMPLETED : {}))
      ended = true
      openStream(response)
      response.end(progressBytes(1) + progressBytes(2) + completeBytes(3) + END_BYTES)
    })
    const seen: number[] = []
    const onProgress = ({ progress }: { readonly progress: number }) => void seen.push(progress)
    const result = await createClient({ baseUrl: at.url }).wait(ids, { onProgress })
    expect(result.structuredContent).toEqual({ reportId: 'rep-1' })
    expect(seen).toEqual([1, 2])
    expect(at.rpc('tools/call')).toHaveLength(0)
  })

  test('rejects with what the call ended with', async () => {
    const at = await startHub((_request, response) => sendResult(response, callView('failed', { error: {} })))
    expect(await failureCode(createClient({ baseUrl: at.url }).wait(ids))).toBe('INTERNAL_ERROR')
  })

  test('says that the call goes on when the time is over', async () => {
    const at = await startHub(({ path }, response) => {
      if (path === '/rpc') sendResult(response, callView('running'))
      else openStream(response)
    })
    const waiting = createClient({ baseUrl: at.url }).wait(ids, { timeoutMs: 50 })
    await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', details: ids })
  })
})

describe('agents', () => {
  const agent = {
    name: 'SyncBoot',
    available: true,
    trust: 'local',
    connector: 'native',
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    refused: [],
  }

  test('lists what the hub lists', async () => {
    const at = await startHub((_request, response) => sendJson(response, 200, { agents: [agent] }))
    expect(await createClient({ baseUrl: at.url }).agents()).toEqual([agent])
    expect(at.requests[0]?.path).toBe('/agents')
  })

  test('takes something else for none of our hub', async () => {
    const at = await startHub((_request, response) => sendJson(response, 200, { agents: [{ name: 7 }] }))
    expect(await failureCode(createClient({ baseUrl: at.url }).agents())).toBe('CONTRACT_BROKEN')
  })
})
