import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { getJson, request } from '../hub-requests.js'
import { openPlace } from '../running-hub.js'
import { ask, callOnPath, firstItem, type PathBody, REVISION } from './path-requests.js'
import { SAMPLE_TOOLS, sending, serveToolService, type ToolService } from './tool-service.js'

const PATH = '/agent-builder/hr'

let service: ToolService
let hub: string
let address: string

beforeAll(async () => {
  service = await serveToolService(SAMPLE_TOOLS)
  const settings = { name: 'hr', title: 'HR tools', version: '2.0.0', url: service.url, manifest: 'manifest.json' }
  const place = await openPlace({ publicPaths: { [PATH]: settings } })
  hub = (await place.startHub()).url
  address = hub + PATH
})
afterAll(closeAll)

describe('tools/list on a public path', () => {
  test('shows the public fields of the snapshot and nothing that is internal', async () => {
    const { body } = await ask(address, request('tools/list', {}, 0))
    expect(body.id).toBe(0)
    expect(body.result).toEqual({
      tools: [
        { name: 'leave.balance', description: 'What leave.balance does', inputSchema: expect.anything() },
        {
          name: 'search',
          title: 'Search',
          description: 'What search does',
          inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
          outputSchema: { type: 'object', required: ['hits'] },
          annotations: { readOnlyHint: true },
        },
      ],
    })
  })

  test('has one page', async () => {
    const { body, status } = await ask(address, request('tools/list', { cursor: 'x' }))
    expect([status, body.error?.code]).toEqual([200, -32602])
  })
})

describe('a call on a public path', () => {
  test('posts its arguments alone, as they came, to the endpoint that the snapshot names', async () => {
    const args = { query: '서울 🎉', list: [1, { a: null }], _meta: { kept: true }, extra: 0.5 }
    await callOnPath(address, 'leave.balance', args)
    const seen = service.calls.at(-1)
    expect(seen).toMatchObject({ method: 'POST', path: '/api/tools/leave.balance', body: JSON.stringify(args) })
    expect(seen?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  test('answers the text, how long it took, and nothing structured', async () => {
    const args = { query: 'x' }
    service.behave(sending('text/plain; charset=utf-8', '연차 12일 🎉\n'))
    const plain = await callOnPath(address, 'search', args)
    expect(plain.body).toEqual({
      jsonrpc: '2.0',
      id: 'request-1',
      result: {
        content: [{ type: 'text', text: '연차 12일 🎉\n', _meta: { searchTime: expect.any(Number) } }],
        isError: false,
        _meta: expect.objectContaining({ callId: expect.any(String), traceId: expect.any(String) }),
      },
    })
    service.behave(sending('application/json', '{ "hits" : [ 1.50, "a b" ],\n "n": 12345678901234567890 }'))
    const json = await callOnPath(address, 'search', args)
    expect(firstItem(json).text).toBe('{"hits":[1.50,"a b"],"n":12345678901234567890}')
    expect(json.body.result).not.toHaveProperty('structuredContent')
    // Its tool promises `hits`, and nobody holds it to that here.
    service.behave(sending('application/json', '[]'))
    const broken = await callOnPath(address, 'search', args)
    expect([firstItem(broken).text, broken.body.result?.isError]).toEqual(['[]', false])
    service.behave(sending('', ''))
    const nothing = await callOnPath(address, 'search', args)
    expect(nothing.body.result).toMatchObject({ content: [{ type: 'text', text: '' }], isError: false })
  })

  test('is traced like all others, under the trace that it names or that its tracing names', async () => {
    const w3c = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${w3c}-b7ad6b7169203331-01`
    const call = (meta: JsonObject, headers = {}) =>
      ask(address, request('tools/call', { name: 'search', arguments: { query: 'x' }, _meta: meta }), {
        ...REVISION,
        ...headers,
      })
    const named = await call({ traceId: 'trace-ab-1', traceparent })
    const inMeta = await call({ traceparent })
    const inHeader = await call({}, { traceparent })
    const unnamed = await call({})
    const idOf = ({ body }: { body: PathBody }) => ((body.result?._meta ?? {}) as JsonObject).traceId
    expect([named, inMeta, inHeader].map(idOf)).toEqual(['trace-ab-1', w3c, w3c])
    expect(idOf(unnamed)).toMatch(/^trace-/)
    const { body } = await getJson<JsonObject>(hub, '/traces/trace-ab-1')
    expect(body).toMatchObject({ calls: [{ agent: 'hr', tool: 'search', state: 'completed' }] })
    expect(named.headers.get('synchub-trace-id')).toBe('trace-ab-1')
  })

  test('is seen by no other surface but in its trace', async () => {
    const listed = await fetch(`${hub}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request('tools/list')),
    })
    expect(await listed.json()).toMatchObject({ result: { tools: [] } })
    expect((await getJson<JsonObject>(hub, '/agents')).body).toEqual({ agents: [] })
  })
})
