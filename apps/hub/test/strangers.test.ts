import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { atEnd, closeAll } from './cleanup.js'
import { watchTrace } from './event-reader.js'
import { callTool, getCall, postJson, postRpc, request, startCall } from './hub-requests.js'
import { type RunningHub, runHub } from './running-hub.js'
import { until } from './until.js'

jest.setTimeout(60_000)

const require = createRequire(import.meta.url)
// A server that was made by other people, to show everything that MCP can do.
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
const LONG = 'trigger-long-running-operation'

/** Preloaded, since the server does not say which free port it was given. */
const TELL_PORT = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:http'
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...args) {
    if (event === 'listening') console.log('port ' + this.address().port)
    return emit.call(this, event, ...args)
  }`)}`

async function startEverything(): Promise<string> {
  const child = spawn(process.execPath, ['--import', TELL_PORT, EVERYTHING, 'streamableHttp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PORT: '0' },
  })
  atEnd(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let port = ''
  for await (const line of createInterface(child.stdout)) {
    port = /^port (\d+)$/.exec(line)?.[1] ?? ''
    if (port !== '') break
  }
  child.stdout.resume()
  return `http://127.0.0.1:${port}/mcp`
}

/** A plain service with one tool, which adds. */
async function startService(): Promise<string> {
  const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }
  const tools = [{ name: 'add', description: 'Adds.', inputSchema, endpoint: '/add' }]
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += String(chunk)
    })
    req.on('end', () => {
      res.setHeader('Content-Type', 'application/json')
      if (req.url !== '/add') return res.end(JSON.stringify({ tools }))
      const { a, b } = JSON.parse(body) as { a: number; b: number }
      return res.end(JSON.stringify({ sum: a + b }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('agents that were not made for the hub', () => {
  let hub: RunningHub

  beforeAll(async () => {
    const [url, service] = await Promise.all([startEverything(), startService()])
    const long = { safeToRepeat: false, silenceTimeoutMs: 20_000 }
    hub = await runHub({
      agents: {
        Child: { connector: 'mcp-stdio', command: process.execPath, args: [EVERYTHING], ...long },
        Remote: { connector: 'mcp-http', url, ...long },
        Adder: { connector: 'tool-service', url: service, manifest: '/manifest.json', mode: 'direct' },
      },
    })
    await until(async () => (await toolNames()).length > 20)
  })

  afterAll(closeAll)

  async function toolNames(): Promise<readonly string[]> {
    const { body } = await postRpc(hub.url, request('tools/list'))
    const tools = (body.result?.tools ?? []) as readonly { readonly name: string }[]
    return tools.map(({ name }) => name)
  }

  test('are listed beside each other', async () => {
    const names = await toolNames()
    expect(names).toEqual(expect.arrayContaining([`Child.${LONG}`, `Remote.${LONG}`, 'add']))
  })

  test.each(['Child', 'Remote'])(
    'have their progress on the trace, and the call ends with its result (%s)',
    async (agent) => {
      const traceId = `trace-${agent}`
      const stream = await watchTrace(hub.url, `${traceId}/events?follow=1`)
      await startCall(hub.url, `${agent}.${LONG}`, { duration: 0.4, steps: 4 }, { traceId })
      const complete = await stream.next('complete')
      expect(stream.events.map(({ event }) => event)).toEqual([
        'received',
        'accepted',
        'started',
        'progress',
        'progress',
        'progress',
        'progress',
        'complete',
      ])
      const progress = stream.events.filter(({ event }) => event === 'progress').map(({ data }) => data)
      expect(progress.map(({ token, progress: value, total }) => [token, value, total])).toEqual([
        ['prg-01', 1, 4],
        ['prg-02', 2, 4],
        ['prg-03', 3, 4],
        ['prg-04', 4, 4],
      ])
      expect(complete.data).toMatchObject({
        token: 'prg-05',
        isError: false,
        content: [{ type: 'text', text: expect.stringMatching(/^Long running operation completed/) }],
      })
    },
  )

  test.each(['Child', 'Remote'])('have what they answer passed on to the caller (%s)', async (agent) => {
    const image = await callTool(hub.url, `${agent}.get-tiny-image`)
    expect(image.body.result?.content).toEqual([
      { type: 'text', text: expect.any(String) },
      { type: 'image', data: expect.stringMatching(/^iVBORw0KGgo/), mimeType: 'image/png' },
      { type: 'text', text: expect.any(String) },
    ])
    const links = await callTool(hub.url, `${agent}.get-resource-links`, { count: 2 })
    expect(links.body.result?.content).toMatchObject([{}, { type: 'resource_link' }, { type: 'resource_link' }])
    const weather = await callTool(hub.url, `${agent}.get-structured-content`, { location: 'New York' })
    expect(weather.body.result).toMatchObject({ structuredContent: { conditions: 'Cloudy' }, isError: false })
  })

  test.each(['Child', 'Remote'])('can be cancelled while they work (%s)', async (agent) => {
    const callId = await startCall(hub.url, `${agent}.${LONG}`, { duration: 30, steps: 300 })
    await until(async () => (await getCall(hub.url, callId)).progress !== undefined)
    await postJson(hub.url, `/calls/${callId}/cancel`, { reason: 'not wanted' })
    expect(await getCall(hub.url, callId)).toMatchObject({ state: 'cancelled' })
  })

  test('answer at once where they are plain services', async () => {
    const { body } = await callTool(hub.url, 'add', { a: 1, b: 2 })
    expect(body.result).toMatchObject({ content: [{ type: 'text', text: '{"sum":3}' }], isError: false })
  })
})
