import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { bridgeTo, closeBridges, handshake, legacy, notice, sendResult } from './bridged-hub.js'
import { until } from './until.js'

afterEach(closeBridges)

/** Opens a stream for each GET; the test writes to them. */
function streams() {
  const open: ServerResponse[] = []
  return {
    open,
    tell: (message: object) => void open.at(-1)?.write(`data: ${JSON.stringify(message)}\n\n`),
    play(method: string, res: ServerResponse): void {
      if (method === 'DELETE') return void res.writeHead(204).end()
      res.writeHead(200, { 'Content-Type': 'text/event-stream' })
      res.flushHeaders()
      open.push(res)
    },
  }
}

describe('the stream of a legacy session', () => {
  test('is read once the client is initialized, opened again when it ends, and closed with the session', async () => {
    const { open, tell, play } = streams()
    const hub = await bridgeTo((posted) => handshake(posted) || sendResult(posted, {}), play)
    hub.send(legacy(0, 'initialize', {}))
    await hub.next()
    expect(hub.sessions).toHaveLength(0)
    hub.send(notice('notifications/initialized'))
    await until(() => open.length === 1)
    tell(notice('notifications/tools/list_changed'))
    expect(await hub.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    open[0]?.end()
    await until(() => open.length === 2)
    tell(notice('notifications/resources/updated', { uri: 'trace://t' }))
    expect(await hub.next()).toMatchObject({ params: { uri: 'trace://t' } })
    await hub.end()
    expect(hub.sessions.map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE'])
    for (const { headers } of hub.sessions) {
      expect(headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' })
    }
  })

  test('is asked for once where the hub has none', async () => {
    const hub = await bridgeTo((posted) => handshake(posted) || sendResult(posted, {}))
    hub.send(legacy(0, 'initialize', {}))
    await hub.next()
    hub.send(notice('notifications/initialized'))
    await until(() => hub.sessions.length === 1)
    hub.send(legacy(1, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 1 })
    await hub.end()
    expect(hub.sessions.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
  })
})
