import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import { encodeSseEvent } from '@synchub/protocol'
import { LiveEngine } from '../../src/live/live-engine.js'
import type { EngineMessage, TabMessage } from '../../src/live/live-message.js'

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A hub that has every trace, and holds its streams open. */
async function serveHub() {
  const open = new Set<ServerResponse>()
  const asked: string[] = []
  const gone = new Set<string>()
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://hub')
    const traceId = pathname.split('/')[2] ?? ''
    const wanted = searchParams.get('traces')?.split(',') ?? []
    if (gone.has(traceId) || wanted.some((name) => gone.has(name.split('@')[0] ?? ''))) {
      const error = { code: -32004, message: 'gone', data: { title: 'NOT_FOUND', detail: 'gone' } }
      res
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    } else if (pathname === '/events') {
      asked.push(searchParams.toString())
      open.add(res)
      res.on('close', () => open.delete(res))
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    } else {
      const trace = { traceId, lastSeq: 3, calls: [], cursor: '3-7' }
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(trace))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, asked, gone }
}

/** An engine with tabs, which are gone, and with them its stream, before the hub is. */
function engineOf(hub: Awaited<ReturnType<typeof serveHub>>) {
  const engine = new LiveEngine(createClient({ baseUrl: hub.url }))
  const tabs: ReturnType<typeof openTab>[] = []
  closing.push(async () => {
    for (const { say } of tabs) say({ kind: 'bye' })
    await until(() => hub.open.size === 0)
    for (const { close } of tabs) close()
  })
  return {
    open() {
      const tab = openTab(engine)
      tabs.push(tab)
      return tab
    },
  }
}

/** A tab of the engine, with what it was told. */
function openTab(engine: LiveEngine) {
  const { port1, port2 } = new MessageChannel()
  const told: EngineMessage[] = []
  port2.onmessage = ({ data }) => void told.push(data as EngineMessage)
  engine.attach(port1)
  return { told, say: (message: TabMessage) => port2.postMessage(message), close: () => port2.close() }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5)
}

const event = (traceId: string, seq: number) =>
  encodeSseEvent({
    id: `all-${traceId}-${seq}`,
    event: 'progress',
    data: JSON.stringify({ seq, at: '2026-01-01T00:00:00.000Z', traceId, callId: 'c', tool: 't', progress: seq }),
  })

const stateOf = (told: readonly EngineMessage[]) =>
  told.flatMap((message) => (message.kind === 'state' ? [message.state.kind] : [])).at(-1)
const kindsOf = (told: readonly EngineMessage[]) => told.map(({ kind }) => kind)

describe('the engine that all tabs of a browser share', () => {
  test('holds one stream for changes and for the traces of every tab', async () => {
    const hub = await serveHub()
    const engine = engineOf(hub)
    const tabs = Array.from({ length: 8 }, () => engine.open())
    await until(() => hub.open.size === 1)
    expect(hub.asked).toEqual([''])
    for (const [at, { say }] of tabs.entries()) say({ kind: 'watch', watch: 1, traceId: `t${at}` })
    await until(() => hub.asked.at(-1)?.includes('t7') === true)
    await until(() => hub.open.size === 1)
    expect(hub.asked.at(-1)).toContain('changes=1')
    const change = { traceId: 'z', owner: 'o', seq: 1, state: 'running' }
    for (const stream of hub.open) {
      stream.write(tabs.map((_, at) => event(`t${at}`, 4)).join(''))
      stream.write(encodeSseEvent({ event: 'change', data: JSON.stringify(change) }))
    }
    await until(() =>
      tabs.every(({ told }) => ['events', 'changes'].every((kind) => kindsOf(told).includes(kind as never))),
    )
    expect(hub.open.size).toBe(1)
  })

  test('goes on for the other tabs when the first one is closed', async () => {
    const hub = await serveHub()
    const engine = engineOf(hub)
    const [first, second] = [engine.open(), engine.open()]
    for (const { say } of [first, second]) say({ kind: 'watch', watch: 1, traceId: 't' })
    await until(() => hub.asked.at(-1)?.startsWith('traces=t') === true)
    first.say({ kind: 'bye' })
    const [stream] = hub.open
    stream?.write(event('t', 4))
    await until(() => kindsOf(second.told).includes('events'))
    expect(hub.open.size).toBe(1)
  })

  test('leaves a trace out that is gone, tells its watcher, and stays live for the others', async () => {
    const hub = await serveHub()
    const engine = engineOf(hub)
    const tab = engine.open()
    tab.say({ kind: 'watch', watch: 1, traceId: 'stays' })
    tab.say({ kind: 'watch', watch: 2, traceId: 'goes' })
    await until(() => hub.asked.at(-1)?.includes('goes') === true)
    hub.gone.add('goes')
    for (const stream of hub.open) stream.destroy()
    await until(() => tab.told.some((message) => message.kind === 'failed' && message.watch === 2))
    await until(() => hub.asked.at(-1)?.includes('goes') === false && hub.open.size === 1)
    expect(hub.asked.at(-1)).toMatch(/^traces=stays/)
    await until(() => stateOf(tab.told) === 'live')
  })
})
