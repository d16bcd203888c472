import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { encodeSseComment } from '@synchub/protocol'
import { createClient, type Reconnect } from '../src/index.js'
import { END_BYTES, eventBytes, openStream, progressBytes, TRACE_ID } from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

/** Long enough that the next connection, which a busy machine is slow to open, does not count as silent too. */
const SILENCE_MS = 400

/**
 * Waits until more can be written; false when nothing makes room for it. A client that reads on does so in every few turns of the
 * event loop, which is the same for both sides, however busy the machine is.
 */
async function drained(response: ServerResponse): Promise<boolean> {
  for (let turn = 0; turn < 1000 && response.writableNeedDrain; turn++) await nextTurn()
  return !response.writableNeedDrain
}

describe('the connection of a watch', () => {
  test('counts as dead when it is silent for too long, and is opened anew', async () => {
    const reconnects: Reconnect[] = []
    const at = await startHub((_request, response, index) => {
      openStream(response)
      if (index === 0) response.write(progressBytes(1))
      else response.end(END_BYTES)
    })
    const client = createClient({ baseUrl: at.url, silenceTimeoutMs: SILENCE_MS })
    const seen: number[] = []
    for await (const item of client.watch(TRACE_ID, { onReconnect: (reconnect) => reconnects.push(reconnect) })) {
      if (item.kind === 'event') seen.push(item.data.seq)
    }
    expect(seen).toEqual([1])
    expect(reconnects).toMatchObject([{ cursor: '1-a', reason: { code: 'HUB_UNAVAILABLE' } }])
    expect(reconnects[0]?.reason.message).toContain(`was silent for ${SILENCE_MS} ms`)
  })

  test('stays open through silence that heartbeats fill', async () => {
    const at = await startHub(async (_request, response) => {
      openStream(response)
      // Twice as long as it may be silent.
      for (let beat = 0; beat < 10; beat++) {
        response.write(encodeSseComment('alive'))
        await delay(60)
      }
      response.end(progressBytes(1) + END_BYTES)
    })
    const client = createClient({ baseUrl: at.url, silenceTimeoutMs: 300 })
    const reconnects: Reconnect[] = []
    for await (const item of client.watch(TRACE_ID, { onReconnect: (reconnect) => reconnects.push(reconnect) })) {
      expect(item.kind).toBe('event')
    }
    expect(reconnects).toEqual([])
  })

  test('reads no further than its consumer: the hub must stop writing', async () => {
    let stalled: (outcome: string) => void = () => undefined
    const outcome = new Promise<string>((resolve) => {
      stalled = resolve
    })
    const at = await startHub(async (_request, response) => {
      openStream(response)
      const payload = 'x'.repeat(64 * 1024)
      for (let seq = 1; seq <= 2000; seq++) {
        if (response.write(eventBytes(seq, 'progress', { message: payload }))) continue
        if (!(await drained(response))) return stalled('stalled')
      }
      stalled('wrote everything')
    })
    const items = createClient({ baseUrl: at.url }).watch(TRACE_ID)
    await items.next()
    expect(await outcome).toBe('stalled')
    await items.return?.()
  })

  test('is closed when the loop is left', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const at = await startHub((_request, response) => {
      closed = once(response, 'close')
      openStream(response)
      response.write(progressBytes(1))
    })
    for await (const item of createClient({ baseUrl: at.url }).watch(TRACE_ID)) {
      expect(item.kind).toBe('event')
      break
    }
    await closed
    expect(at.requests).toHaveLength(1)
  })

  test('is closed by an abort, and the loop ends quietly', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.write(progressBytes(1))
    })
    const abort = new AbortController()
    const seen: unknown[] = []
    for await (const item of createClient({ baseUrl: at.url }).watch(TRACE_ID, { signal: abort.signal })) {
      seen.push(item.id)
      setImmediate(() => abort.abort())
    }
    expect(seen).toEqual(['1-a'])
  })

  test('is closed by return while a read is pending', async () => {
    const at = await startHub((_request, response) => openStream(response))
    const items = createClient({ baseUrl: at.url }).watch(TRACE_ID)
    const pending = items.next()
    setImmediate(() => void items.return?.())
    expect(await pending).toMatchObject({ done: true })
  })

  test('is not opened for a signal that has aborted already', async () => {
    const at = await startHub((_request, response) => openStream(response))
    const items = createClient({ baseUrl: at.url }).watch(TRACE_ID, { signal: AbortSignal.abort() })
    expect(await items.next()).toMatchObject({ done: true })
    expect(at.requests).toHaveLength(0)
  })

  test('ends an abort in the pause before a reconnect at once', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.end('retry: 20000\n\n')
    })
    const abort = new AbortController()
    const onReconnect = () => setImmediate(() => abort.abort())
    const items = createClient({ baseUrl: at.url }).watch(TRACE_ID, { signal: abort.signal, onReconnect })
    expect(await items.next()).toMatchObject({ done: true })
  })
})
