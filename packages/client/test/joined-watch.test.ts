import { describe, expect, test } from '@jest/globals'
import { encodeSseEvent } from '@synchub/protocol'
import { createClient, type JoinedItem, type JoinedTrace, type JoinedWatchOptions } from '../src/index.js'
import { openStream, sendError } from './hub-answers.js'
import { type ScriptedHub, scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

const bytesOf = (traceId: string, seq: number, event = 'progress') =>
  encodeSseEvent({
    id: `all-${traceId}-${seq}`,
    event,
    data: JSON.stringify({ seq, at: '2026-01-01T00:00:00.000Z', traceId, callId: 'c', tool: 't', progress: seq }),
  })

const namesOf = (items: readonly JoinedItem[]) =>
  items.map((item) => (item.kind === 'event' ? `${item.data.traceId} ${item.data.seq}` : item.kind))

async function take(count: number, at: ScriptedHub, traces: readonly JoinedTrace[], options: JoinedWatchOptions = {}) {
  const items: JoinedItem[] = []
  for await (const item of createClient({ baseUrl: at.url }).watchJoined(traces, options)) {
    items.push(item)
    if (items.length === count) break
  }
  return items
}

describe('watchJoined', () => {
  test('names each trace with its owner and place, and gives the events of all', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.write(bytesOf('a', 13) + bytesOf('b', 1))
    })
    const items = await take(3, at, [{ traceId: 'a', owner: 'alice', after: '12-7' }, { traceId: 'b' }])
    expect(namesOf(items)).toEqual(['open', 'a 13', 'b 1'])
    expect(at.requests[0]?.path).toBe('/events')
    expect(at.requests[0]?.query.toString()).toBe('traces=alice%2Fa%4012-7%2Cb&follow=1')
  })

  test('goes on after the last item of any trace, tells of each connection, and gives nothing twice', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      if (index === 0) response.end(bytesOf('a', 1) + bytesOf('b', 1))
      else response.write(bytesOf('b', 1) + bytesOf('b', 2))
    })
    const reconnects: (string | undefined)[] = []
    const onReconnect = ({ cursor }: { readonly cursor?: string }) => void reconnects.push(cursor)
    const items = await take(5, at, [{ traceId: 'a' }, { traceId: 'b' }], { onReconnect })
    expect(namesOf(items)).toEqual(['open', 'a 1', 'b 1', 'open', 'b 2'])
    expect(at.requests[1]?.query.get('after')).toBe('all-b-1')
    expect(reconnects).toEqual(['all-b-1'])
  })

  test('begins after the item of another watch', async () => {
    const at = await startHub((_request, response) => openStream(response))
    await take(1, at, [{ traceId: 'a' }], { after: 'all-a-9' })
    expect(at.requests[0]?.query.get('after')).toBe('all-a-9')
  })

  test('goes on from the snapshot of the one trace that was reset', async () => {
    const data = { traceId: 'a', owner: 'o', reason: 'replaced', snapshot: { lastSeq: 1, calls: [], cursor: '1-b' } }
    const at = await startHub((_request, response) => {
      openStream(response)
      const reset = encodeSseEvent({ id: 'all-r', event: 'reset', data: JSON.stringify(data) })
      response.write(bytesOf('a', 7) + reset + bytesOf('a', 1) + bytesOf('a', 2))
    })
    const items = await take(4, at, [{ traceId: 'a' }])
    expect(namesOf(items)).toEqual(['open', 'a 7', 'reset', 'a 2'])
    expect(items[2]).toMatchObject({ traceId: 'a', snapshot: { lastSeq: 1 } })
  })

  test('brings notices of change over the same connection where they are asked for', async () => {
    const change = { traceId: 'z', owner: 'o', seq: 4, state: 'running' }
    const at = await startHub((_request, response) => {
      openStream(response)
      const notices = [
        { event: 'change', data: JSON.stringify(change) },
        { event: 'reset', data: JSON.stringify({ reason: 'overflow' }) },
      ].map(encodeSseEvent)
      response.write(bytesOf('a', 1) + notices.join('') + bytesOf('a', 2))
    })
    const items = await take(5, at, [{ traceId: 'a' }], { changes: true })
    expect(namesOf(items)).toEqual(['open', 'a 1', 'change', 'lost', 'a 2'])
    expect(items.slice(2, 4)).toEqual([
      { kind: 'change', ...change },
      { kind: 'lost', reason: 'overflow' },
    ])
    expect(at.requests[0]?.query.toString()).toBe('traces=a&changes=1')
  })

  test('fails at once where one of the traces may not be seen', async () => {
    const at = await startHub((_request, response) => sendError(response, 'NOT_FOUND'))
    await expect(take(1, at, [{ traceId: 'a' }])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(at.requests).toHaveLength(1)
  })
})
