import { describe, expect, test } from '@jest/globals'
import { encodeSseComment, encodeSseEvent, encodeSseRetry } from '@synchub/protocol'
import { type ClientOptions, createClient, type Reconnect, type WatchItem, type WatchOptions } from '../src/index.js'
import { completeBytes, END_BYTES, eventBytes, openStream, progressBytes, sendError, TRACE_ID } from './hub-answers.js'
import { type ScriptedHub, scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

function watch(at: ScriptedHub, options: WatchOptions = {}, client: Partial<ClientOptions> = {}) {
  return createClient({ baseUrl: at.url, ...client }).watch(TRACE_ID, options)
}

async function collect(items: AsyncIterable<WatchItem>): Promise<WatchItem[]> {
  const collected: WatchItem[] = []
  for await (const item of items) collected.push(item)
  return collected
}

function seqs(items: readonly WatchItem[]): (number | string)[] {
  return items.map((item) => (item.kind === 'event' ? item.data.seq : item.kind))
}

function cursors(at: ScriptedHub): (string | null)[] {
  return at.requests.map(({ query }) => query.get('after'))
}

describe('watch', () => {
  test('yields every event in order and ends at the end', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.end(eventBytes(1, 'received') + progressBytes(2) + completeBytes(3) + END_BYTES)
    })
    const items = await collect(watch(at))
    expect(seqs(items)).toEqual([1, 2, 3])
    expect(items[1]).toMatchObject({ kind: 'event', id: '2-a', event: 'progress', data: { message: 'step 2' } })
    expect(at.requests).toHaveLength(1)
  })

  test('ends when the hub says that nothing more will come after the cursor', async () => {
    const at = await startHub((_request, response) => void response.writeHead(204).end())
    expect(await collect(watch(at, { after: '9-z' }))).toEqual([])
    expect(cursors(at)).toEqual(['9-z'])
  })

  test('asks for the filters it was given on every connection', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      response.end(index === 0 ? progressBytes(1) : END_BYTES)
    })
    await collect(watch(at, { callId: 'c1', events: ['progress', 'complete'], follow: true, owner: 'alice' }))
    const queries = at.requests.map(({ query }) => query.toString())
    expect(queries).toEqual([
      'callId=c1&event=progress%2Ccomplete&follow=1&owner=alice',
      'after=1-a&callId=c1&event=progress%2Ccomplete&follow=1&owner=alice',
    ])
  })

  test('keeps its cursor when the stream is cut three times in a row without an event between', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      if (index === 0) response.write(progressBytes(1) + progressBytes(2))
      if (index < 3) setImmediate(() => response.destroy())
      else response.end(completeBytes(3) + END_BYTES)
    })
    expect(seqs(await collect(watch(at)))).toEqual([1, 2, 3])
    expect(cursors(at)).toEqual([null, '2-a', '2-a', '2-a'])
  })

  test('gives no event twice when the hub sends again what was seen', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      const first = progressBytes(1) + progressBytes(2)
      response.end(index === 0 ? first : first + progressBytes(3) + END_BYTES)
    })
    expect(seqs(await collect(watch(at)))).toEqual([1, 2, 3])
  })

  test('goes on from the snapshot after a reset, also where a new log numbers from 1 again', async () => {
    const snapshot = { traceId: TRACE_ID, lastSeq: 1, calls: [], cursor: '1-b' }
    const reset = encodeSseEvent({ id: '1-b', event: 'reset', data: JSON.stringify({ reason: 'replaced', snapshot }) })
    const at = await startHub((_request, response, index) => {
      openStream(response)
      if (index === 0) response.end(progressBytes(7))
      else if (index === 1) response.end(reset)
      else response.end(progressBytes(2) + END_BYTES)
    })
    const items = await collect(watch(at))
    expect(seqs(items)).toEqual([7, 'reset', 2])
    expect(items[1]).toMatchObject({ kind: 'reset', reason: 'replaced', snapshot: { lastSeq: 1 } })
    expect(cursors(at)).toEqual([null, '7-a', '1-b'])
  })

  test('begins anew when the trace is gone altogether', async () => {
    const reset = encodeSseEvent({ event: 'reset', data: JSON.stringify({ reason: 'replaced', snapshot: null }) })
    const at = await startHub((_request, response, index) => {
      openStream(response)
      response.end(index === 0 ? reset : progressBytes(1) + END_BYTES)
    })
    expect(seqs(await collect(watch(at, { after: '9-z', follow: true })))).toEqual(['reset', 1])
    expect(cursors(at)).toEqual(['9-z', null])
  })

  test('passes over an event of a later version and goes on after it', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      response.end(index === 0 ? progressBytes(1) + eventBytes(2, 'approval_requested') : END_BYTES)
    })
    expect(seqs(await collect(watch(at)))).toEqual([1])
    expect(cursors(at)).toEqual([null, '2-a'])
  })

  test('reads events whose bytes come one by one, through Korean text and line breaks', async () => {
    const bytes = Buffer.from(
      eventBytes(1, 'progress', { progress: 1, message: '교차 검증 🚀' }).replaceAll('\n', '\r\n'),
    )
    const at = await startHub(async (_request, response) => {
      openStream(response)
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve))
      response.end(END_BYTES)
    })
    expect(await collect(watch(at))).toMatchObject([{ data: { message: '교차 검증 🚀' } }])
  })

  test('waits at least as long as the hub has asked last with retry, and longer with each failure until something new comes', async () => {
    const pauses: Reconnect[] = []
    const at = await startHub((_request, response, index) => {
      openStream(response)
      // As of a hub that stops: the next one begins its stream with the usual pause again.
      if (index === 0) response.end(encodeSseRetry(50) + progressBytes(1) + encodeSseRetry(400))
      else if (index === 3) response.end(encodeSseRetry(50) + progressBytes(2))
      else response.end(index > 3 ? END_BYTES : encodeSseComment('alive'))
    })
    await collect(watch(at, { onReconnect: (reconnect) => pauses.push(reconnect) }))
    expect(pauses.map(({ failures }) => failures)).toEqual([1, 2, 3, 1])
    expect(pauses.map(({ cursor }) => cursor)).toEqual(['1-a', '1-a', '1-a', '2-a'])
    const bounds = [400, 500, 1000, 250]
    for (const [index, { delayMs }] of pauses.entries()) {
      expect(delayMs).toBeGreaterThanOrEqual(bounds[index] ?? 0)
      expect(delayMs).toBeLessThanOrEqual((bounds[index] ?? 0) * 1.5)
    }
  })

  test('survives a hub that answers 503 and a hub that is away', async () => {
    const reasons: string[] = []
    const at = await startHub((_request, response, index) => {
      if (index === 1) return sendError(response, 'HUB_UNAVAILABLE')
      openStream(response)
      response.end(index === 0 ? progressBytes(1) : progressBytes(2) + END_BYTES)
    })
    const onReconnect = ({ reason, failures }: Reconnect) => {
      reasons.push(reason.message)
      if (failures === 2) void at.pause()
      if (failures === 3) void at.resume()
    }
    expect(seqs(await collect(watch(at, { onReconnect })))).toEqual([1, 2])
    expect(reasons[1]).toContain('scripted HUB_UNAVAILABLE')
    expect(reasons[2]).toContain('cannot be reached (ECONNREFUSED)')
  })

  test('gives up once the hub was away for longer than it was told to bear', async () => {
    const at = await startHub(() => undefined)
    await at.pause()
    const items = watch(at, { outageTimeoutMs: 500 })
    await expect(collect(items)).rejects.toMatchObject({ code: 'HUB_UNAVAILABLE' })
  })

  test.each(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'NOT_ACCEPTABLE'] as const)(
    'throws %s at once and does not ask again',
    async (code) => {
      const at = await startHub((_request, response) => sendError(response, code))
      await expect(collect(watch(at))).rejects.toMatchObject({ name: 'HubError', code, reason: `scripted ${code}` })
      expect(at.requests).toHaveLength(1)
    },
  )

  test('says that a page of something else is no event stream', async () => {
    const at = await startHub((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    })
    await expect(collect(watch(at))).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
  })

  test('stops at an event larger than it takes instead of fetching it for ever', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.end(eventBytes(1, 'progress', { message: 'x'.repeat(5000) }))
    })
    await expect(collect(watch(at, {}, { maxAnswerBytes: 1000 }))).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
  })

  test('asks for no other object than the trace it was given', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
    await expect(collect(client.watch('..'))).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })
})
