import { afterEach, describe, expect, test } from '@jest/globals'
import { HubError, toErrorObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { type Behaviour, connect, json, response, sending, serveRogue } from './rogue-agent.js'

const tool = { name: 'work', title: 'Work', description: 'Works.', inputSchema: { type: 'object' } }
const answer = (result: unknown) => ({ jsonrpc: '2.0', id: 'tools-list', result })

async function listFrom(behave: Behaviour) {
  const { url } = await serveRogue(behave)
  return connect(url).listTools(new AbortController().signal)
}

afterEach(closeAll)

describe('listTools of the native connection', () => {
  test('takes over what the hub knows of a tool', async () => {
    const full = { ...tool, outputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
    const minimal = { name: 'bare', inputSchema: {} }
    const { offers: tools } = await listFrom(sending(json(answer({ tools: [{ ...full, icons: [] }, minimal] }))))
    expect(tools).toEqual([full, minimal])
  })

  test('follows the pages', async () => {
    const pages: Record<string, unknown> = {
      none: { tools: [tool], nextCursor: 'a' },
      a: { tools: [], nextCursor: '' },
      '': { tools: [{ ...tool, name: 'last' }] },
    }
    const { offers: tools } = await listFrom((socket, request) => {
      const { params } = JSON.parse(request.split('\r\n\r\n').at(1) ?? '')
      return sending(json(answer(pages[params.cursor ?? 'none'])))(socket, request)
    })
    expect(tools.map(({ name }) => name)).toEqual(['work', 'last'])
  })

  test('refuses a broken tool alone, and says why', async () => {
    const broken = [
      null,
      { ...tool, name: 'my tool' },
      { ...tool, name: 'a', inputSchema: [] },
      { ...tool, name: 'b', outputSchema: 1 },
      { ...tool, name: 'c', annotations: [] },
      { ...tool, name: 'd', title: 1 },
      tool,
    ]
    const { offers, refused } = await listFrom(sending(json(answer({ tools: [tool, ...broken] }))))
    expect(offers).toEqual([tool])
    const kind = 'tool'
    expect(refused).toEqual([
      { kind, reason: 'it is no object' },
      { kind, name: 'my tool', reason: 'its name must be 1 to 128 characters of A-Z a-z 0-9 . _ / -' },
      { kind, name: 'a', reason: 'its inputSchema must be an object' },
      { kind, name: 'b', reason: 'its outputSchema must be an object' },
      { kind, name: 'c', reason: 'its annotations must be an object' },
      { kind, name: 'd', reason: 'its title must be a string' },
      { kind, name: 'work', reason: 'the agent lists it twice' },
    ])
  })

  test('does not list for ever', async () => {
    const circle = listFrom(sending(json(answer({ tools: [], nextCursor: 'again' }))))
    await expect(circle).rejects.toMatchObject({
      code: 'CONTRACT_BROKEN',
      reason: 'the pages of tools/list go round in a circle',
    })
    let page = 0
    const endless = listFrom((socket, request) =>
      sending(json(answer({ tools: [], nextCursor: String(page++) })))(socket, request),
    )
    await expect(endless).rejects.toMatchObject({
      code: 'CONTRACT_BROKEN',
      reason: 'tools/list has more than 100 pages',
    })
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...tool, name: `tool-${index}` }))
    const flood = listFrom(sending(json(answer({ tools: many }))))
    await expect(flood).rejects.toMatchObject({
      code: 'CONTRACT_BROKEN',
      reason: 'the agent lists more than 1000 tools',
    })
  })

  test.each<[string, string]>([
    ['no tools', json(answer({}))],
    ['a cursor that is no text', json(answer({ tools: [], nextCursor: 1 }))],
    ['HTML', response('200 OK', { 'Content-Type': 'text/html' }, '<p>')],
    ['a stream', response('200 OK', { 'Content-Type': 'text/event-stream' }, ': hi\n\n')],
    ['a redirect', response('301 x', { Location: '/' }, '')],
    ['no JSON', json('{')],
    ['no HTTP', 'hello\r\n\r\n'],
    [
      'that it has no such method',
      json(
        { jsonrpc: '2.0', id: 'tools-list', error: toErrorObject(new HubError('METHOD_NOT_FOUND', 'x'), '/') },
        '404 x',
      ),
    ],
  ])('calls the contract broken when the agent answers %s', async (_, bytes) => {
    await expect(listFrom(sending(bytes))).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
  })

  test.each<[string, readonly string[]]>([
    ['answers 503', [response('503 x', {}, '')]],
    [
      'refuses the secret',
      [json({ jsonrpc: '2.0', id: null, error: toErrorObject(new HubError('UNAUTHENTICATED', 'x'), '/') }, '401 x')],
    ],
    ['hangs up', []],
  ])('calls the agent unavailable when it %s', async (_, chunks) => {
    await expect(listFrom(sending(...chunks))).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
  })

  test('calls the agent unavailable when it does not answer in time', async () => {
    const controller = new AbortController()
    const { url } = await serveRogue(() => controller.abort())
    await expect(connect(url).listTools(controller.signal)).rejects.toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      reason: 'the agent did not list its tools in time',
    })
  })
})

describe('notifyCancelled of the native connection', () => {
  test('tells the agent, and keeps what went wrong for the log', async () => {
    const notices: string[] = []
    const agent = await serveRogue(sending(response('202 Accepted', {}, '')))
    await connect(agent.url).notifyCancelled('call-1', 'not wanted')
    expect(JSON.parse(agent.requests.at(0)?.split('\r\n\r\n').at(1) ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'call-1', reason: 'not wanted' },
    })
    const deaf = await serveRogue(sending(response('404 Not Found', {}, '')))
    await connect(deaf.url, { notice: (reason) => notices.push(reason) }).notifyCancelled('call-1', '')
    const gone = await serveRogue((socket) => socket.destroy())
    await connect(gone.url, { notice: (reason) => notices.push(reason) }).notifyCancelled('call-1', '')
    expect(notices).toEqual([
      'the cancel of call-1 was answered with HTTP 404',
      expect.stringMatching(/^the cancel of call-1 did not reach the agent: the connection to the agent was lost/),
    ])
  })

  test('does not wait for an agent that does not answer', async () => {
    const notices: string[] = []
    const agent = await serveRogue(() => undefined)
    await connect(agent.url, { notice: (reason) => notices.push(reason) }).notifyCancelled('call-1', '')
    expect(notices).toEqual(['the cancel of call-1 did not reach the agent: the request was aborted'])
  })
})
