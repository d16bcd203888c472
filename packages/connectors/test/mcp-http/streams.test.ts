import { once } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { AgentProgress } from '@synchub/core'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { pass } from '../turns.js'
import { until } from '../until.js'
import { connectTo, type Exchange, serveRogueMcp } from './rogue-server.js'

const ERAS = ['legacy', 'modern'] as const
const TOKEN = `${REQUEST.callId}.${REQUEST.attempt}`

afterEach(closeAll)

const progress = (params: JsonObject, progressToken: unknown = TOKEN) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, ...params },
})

const answerTo = ({ message }: Exchange, text = 'done') => ({
  jsonrpc: '2.0',
  id: message.id,
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
})

const done = { kind: 'result', result: { content: [{ type: 'text', text: 'done' }], isError: false } }

async function callRogue(era: 'legacy' | 'modern', answer: (exchange: Exchange) => unknown) {
  const server = await serveRogueMcp(era, { 'tools/call': answer })
  return { server, ...(await call(connectTo(server.url))) }
}

describe.each(ERAS)('an MCP server of the %s era that answers with a stream', (era) => {
  test('has its progress told in order and before the result, whatever comes beside it', async () => {
    const seen = await callRogue(era, (exchange) => {
      exchange.stream()
      exchange.event(progress({ progress: 1, total: 3, message: '하나' }))
      exchange.event(progress({ progress: 9 }, 'somebody-else'))
      exchange.res.write(': a comment\n\n')
      exchange.event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } })
      exchange.event(JSON.stringify(progress({ progress: 2 }), undefined, 1).replaceAll('\n', '\ndata: '))
      exchange.event(answerTo(exchange))
      exchange.res.end()
    })
    expect(seen.progress).toEqual([{ progress: 1, total: 3, message: '하나' }, { progress: 2 }])
    expect(seen.signsOfLife).toBe(1)
    expect(seen.outcome).toEqual(done)
  })

  test('has progress passed on that the hub will refuse', async () => {
    const reports = [{ progress: '50' }, { progress: -1 }, {}, { progress: 1, total: 'x', message: 7 }]
    const seen = await callRogue(era, (exchange) => {
      exchange.stream()
      for (const report of reports) exchange.event(progress(report))
      exchange.event(answerTo(exchange))
      exchange.res.end()
    })
    expect(seen.progress).toEqual(reports.map((report) => ({ progress: undefined, ...report })))
    expect(seen.outcome).toEqual(done)
  })

  test('is lost when the stream ends without the answer', async () => {
    for (const end of [(exchange: Exchange) => exchange.res.end(), (exchange: Exchange) => exchange.res.destroy()]) {
      const seen = await callRogue(era, (exchange) => {
        exchange.stream()
        exchange.event(progress({ progress: 1 }))
        end(exchange)
      })
      expect(seen.outcome).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } })
    }
  })

  test.each<[string, string, RegExp]>([
    ['what is no JSON', '{"jsonrpc":', /^the agent sent what is no JSON-RPC$/],
    ['what is no JSON-RPC', '{"hello":1}', /^the agent sent what is no JSON-RPC$/],
    [
      'the answer to another request',
      '{"jsonrpc":"2.0","id":99,"result":{"content":[]}}',
      /id is not that of the request/,
    ],
  ])('breaks its contract with %s', async (_, data, reason) => {
    const seen = await callRogue(era, (exchange) => {
      exchange.stream()
      exchange.event(data)
    })
    expect(seen.outcome).toMatchObject({ kind: 'broken', error: { reason: expect.stringMatching(reason) } })
  })

  test('breaks its contract with text that is not UTF-8, and with an event larger than the bound', async () => {
    const garbled = await callRogue(era, ({ stream, res }) => {
      stream()
      res.write(Buffer.from('data: \xff\n\n', 'latin1'))
    })
    expect(garbled.outcome).toMatchObject({ kind: 'broken', error: { reason: 'the stream is not UTF-8' } })
    const server = await serveRogueMcp(era, {
      'tools/call': ({ stream, res }) => {
        stream()
        const write = () => {
          while (!res.destroyed && res.write(`data: ${'x'.repeat(1_000)}\n`));
        }
        res.on('drain', write)
        write()
      },
    })
    const { outcome } = await call(connectTo(server.url, { maxResultBytes: 20_000 }))
    expect(outcome).toMatchObject({ kind: 'broken', error: { reason: 'one event is larger than 20000 bytes' } })
  })

  test('is left once it has answered, also when it keeps the stream open', async () => {
    let open: Exchange | undefined
    const seen = await callRogue(era, (exchange) => {
      open = exchange
      exchange.stream()
      exchange.event(answerTo(exchange))
      exchange.event(answerTo(exchange, 'again'))
    })
    expect(seen.outcome).toEqual(done)
    await until(() => open?.res.destroyed === true, 'the connection is closed')
  })

  test('is told of a cancel in the way of its era, and its connection is closed', async () => {
    const controller = new AbortController()
    let open: Exchange | undefined
    const server = await serveRogueMcp(era, {
      'tools/call': (exchange) => {
        open = exchange
        exchange.stream()
        exchange.event(progress({ progress: 1 }))
      },
    })
    const observer = { onProgress: async () => controller.abort(), onSignOfLife: () => undefined }
    expect(await connectTo(server.url).call(REQUEST, observer, controller.signal)).toEqual({ kind: 'aborted' })
    await until(() => open?.res.destroyed === true, 'the connection is closed')
    const cancels = server.of('notifications/cancelled').map(({ message }) => message.params)
    expect(cancels).toEqual(
      era === 'modern'
        ? []
        : [{ requestId: open?.message.id, reason: 'the hub does not wait for the answer any more' }],
    )
  })

  test('is slowed down to the pace of the hub when it is fast, and nothing is buffered', async () => {
    const message = 'x'.repeat(10_000)
    let written = 0
    const server = await serveRogueMcp(era, {
      async 'tools/call'(exchange) {
        exchange.stream()
        for (let step = 1; step <= 1_200; step++) {
          exchange.event(progress({ progress: step, message }))
          written = step
          if (exchange.res.writableNeedDrain) await once(exchange.res, 'drain')
        }
        exchange.event(answerTo(exchange))
        exchange.res.end()
      },
    })
    let seen = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const observer = {
      async onProgress() {
        if (++seen === 10) await held
      },
      onSignOfLife: () => undefined,
    }
    const outcome = connectTo(server.url).call(REQUEST, observer, new AbortController().signal)
    await until(() => seen >= 10, 'the tenth report is held')
    // Nothing tells that a drain will not come, but who reads without a pause makes room for more in every few turns of the loop.
    for (let before = -1; before !== written; await pass(1_000)) before = written
    expect(seen).toBe(10)
    expect(written).toBeLessThan(1_000)
    release()
    expect(await outcome).toEqual(done)
    expect(seen).toBe(1_200)
  })

  test('has no fault in what our own side throws, which is let through', async () => {
    let open: Exchange | undefined
    const server = await serveRogueMcp(era, {
      'tools/call': (exchange) => {
        open = exchange
        exchange.stream()
        exchange.event(progress({ progress: 1 }))
      },
    })
    const observer = { onProgress: () => Promise.reject(new RangeError('ours')), onSignOfLife: () => undefined }
    await expect(connectTo(server.url).call(REQUEST, observer, new AbortController().signal)).rejects.toThrow('ours')
    await until(() => open?.res.destroyed === true, 'the connection is closed')
  })
})

describe('an MCP server of the legacy era that answers with a stream', () => {
  test('may go on with its answer on another stream, after the last event that it has named', async () => {
    let asked: Exchange | undefined
    const server = await serveRogueMcp('legacy', {
      'tools/call': (exchange) => {
        asked = exchange
        exchange.stream()
        exchange.res.write('retry: 10\n\n')
        exchange.event(progress({ progress: 1 }), 'event-1')
        exchange.res.end()
      },
      GET: (exchange) => {
        if (exchange.headers['last-event-id'] !== 'event-1' || asked === undefined) exchange.res.writeHead(405).end()
        else {
          exchange.stream()
          exchange.event(progress({ progress: 2 }), 'event-2')
          exchange.event(answerTo(asked), 'event-3')
        }
      },
    })
    const seen = await call(connectTo(server.url))
    expect(seen.progress).toEqual([{ progress: 1 }, { progress: 2 }])
    expect(seen.outcome).toEqual(done)
  })

  test.each([0, 99_999_999_999])(
    'made us ask for its stream without a pause when it asked for %s ms',
    async (retryMs) => {
      const server = await serveRogueMcp('legacy', {
        GET: (exchange) => {
          exchange.stream()
          exchange.res.end(`retry: ${retryMs}\n\n`)
        },
        'tools/call': () => undefined,
      })
      await call(connectTo(server.url), AbortSignal.timeout(700))
      expect(server.exchanges.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(2)
    },
  )

  test('may report progress on the stream that it keeps for everything', async () => {
    let general: Exchange | undefined
    const seen: AgentProgress[] = []
    const server = await serveRogueMcp('legacy', {
      GET: (exchange) => {
        general = exchange
        exchange.stream()
      },
      async 'tools/call'(exchange) {
        await until(() => general !== undefined, 'the general stream is open')
        general?.event(progress({ progress: 1 }))
        exchange.stream()
        await until(() => seen.length > 0, 'the progress of the general stream is told')
        exchange.event(answerTo(exchange))
        exchange.res.end()
      },
    })
    const observer = {
      onProgress: async (update: AgentProgress) => void seen.push(update),
      onSignOfLife: () => undefined,
    }
    expect(await connectTo(server.url).call(REQUEST, observer, new AbortController().signal)).toEqual(done)
    expect(seen).toEqual([{ progress: 1 }])
  })

  test('may ask the hub things, and is told that it does not do them', async () => {
    const server = await serveRogueMcp('legacy', {
      'tools/call': async (exchange) => {
        exchange.stream()
        exchange.event({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { messages: [] } })
        await until(() => server.exchanges.some(({ message }) => message.id === 'q'), 'the question is answered')
        exchange.event(answerTo(exchange))
        exchange.res.end()
      },
    })
    expect((await call(connectTo(server.url))).outcome).toEqual(done)
    const answer = server.exchanges.find(({ message }) => message.id === 'q')
    expect(answer?.message).toMatchObject({ error: { code: -32601 } })
  })
})
