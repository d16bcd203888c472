import { afterEach, describe, expect, test } from '@jest/globals'
import { NO_OFFERS } from '@synchub/core'
import { HubError, type JsonObject, toErrorObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { connect, json, response, sending, serveRogue } from './rogue-agent.js'

const never = new AbortController().signal

type Answers = Readonly<Record<string, (params: JsonObject) => unknown>>

/** An agent that answers each method as the test says, and has no other. */
async function serveMethods(answers: Answers) {
  const { url } = await serveRogue((socket, text) => {
    const { id, method, params } = JSON.parse(text.split('\r\n\r\n').at(1) ?? '') as JsonObject
    const answer = answers[String(method)]
    const bytes =
      answer === undefined
        ? json({ jsonrpc: '2.0', id, error: toErrorObject(new HubError('METHOD_NOT_FOUND', 'no'), '/') }, '404 x')
        : toBytes(answer(params as JsonObject), id)
    return sending(bytes)(socket, text)
  })
  return { offers: connect(url).offers }
}

function toBytes(answer: unknown, id: unknown): string {
  if (typeof answer === 'string') return answer
  if (!(answer instanceof HubError)) return json({ jsonrpc: '2.0', id, result: answer })
  return json({ jsonrpc: '2.0', id, error: toErrorObject(answer, '/') }, `${answer.definition.status} x`)
}

const resource = { uri: 'note://1', name: 'One' }

afterEach(closeAll)

describe('the lists of an agent that goes wrong', () => {
  test('lose only what is broken, and say why', async () => {
    const { offers } = await serveMethods({
      'resources/list': () => ({ resources: [resource, 7, { uri: 'note://2' }, { ...resource, name: 'Again' }] }),
      'prompts/list': () => ({ prompts: [{ name: 'a\nb' }, { name: 'fine' }] }),
    })
    expect(await offers.list(never)).toEqual({
      resources: [resource],
      resourceTemplates: [],
      prompts: [{ name: 'fine' }],
      refused: [
        { kind: 'resource', reason: 'it is no object' },
        { kind: 'resource', name: 'note://2', reason: 'its name must be a string' },
        { kind: 'resource', name: 'note://1', reason: 'the agent lists it twice' },
        { kind: 'prompt', name: 'a\nb', reason: 'its name must be 1 to 128 characters that are no control characters' },
      ],
    })
  })

  test('take nothing from each other when one cannot be read', async () => {
    const { offers } = await serveMethods({
      'resources/list': () => ({ resources: 'none' }),
      'resources/templates/list': () => response('200 OK', { 'Content-Type': 'text/html' }, '<p>'),
      'prompts/list': () => ({ prompts: [{ name: 'fine' }] }),
    })
    expect(await offers.list(never)).toEqual({
      resources: [],
      resourceTemplates: [],
      prompts: [{ name: 'fine' }],
      refused: [
        { kind: 'resource', reason: 'the result of resources/list has no resources' },
        {
          kind: 'resourceTemplate',
          reason: 'resources/templates/list cannot be read: HTTP 200 came as text/html, not as JSON',
        },
      ],
    })
  })

  test.each([404, 405, 501])('are none where it answers HTTP %i without a JSON-RPC error', async (status) => {
    const none = () => response(`${status} x`, { 'Content-Type': 'text/html' }, '<p>')
    const { offers } = await serveMethods({
      'resources/list': none,
      'resources/templates/list': none,
      'prompts/list': none,
    })
    expect(await offers.list(never)).toEqual(NO_OFFERS)
  })

  test('are cut at their bound without reading on, and say so', async () => {
    const pages: unknown[] = []
    const { offers } = await serveMethods({
      'resources/list': ({ cursor = '0' }) => {
        pages.push(cursor)
        const start = Number(cursor)
        const resources = Array.from({ length: 90 }, (_, at) => ({ ...resource, uri: `note://${start + at}` }))
        return { resources, nextCursor: String(start + 90) }
      },
    })
    const { resources, refused } = await offers.list(never)
    expect(resources).toHaveLength(200)
    expect(refused).toEqual([
      {
        kind: 'resource',
        reason: expect.stringMatching(/^resources\/list has more than 200.*; the first 200 are offered$/),
      },
    ])
    expect(pages).toEqual(['0', '90', '180'])
  })
})

describe('a read of an agent that goes wrong', () => {
  test('is a broken contract where the answer has another shape', async () => {
    const { offers } = await serveMethods({
      'resources/read': () => ({ contents: [{ uri: 'note://1' }] }),
      'prompts/get': () => ({ messages: [{ role: 'system', content: {} }] }),
      'completion/complete': () => ({ completion: { values: [7] } }),
    })
    const broken = (reason: RegExp) => ({ code: 'CONTRACT_BROKEN', reason: expect.stringMatching(reason) })
    await expect(offers.readResource({ uri: 'note://1' }, never)).rejects.toMatchObject(broken(/result.contents.0/))
    await expect(offers.getPrompt({ name: 'p' }, never)).rejects.toMatchObject(broken(/result.messages.0.role/))
    const query = { ref: { type: 'ref/prompt' as const, name: 'p' }, argument: { name: 'a', value: '' } }
    await expect(offers.complete(query, never)).rejects.toMatchObject(broken(/result.completion.values.0/))
  })

  test.each<[string, unknown, string]>([
    [
      'is lost in the middle',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      'AGENT_UNAVAILABLE',
    ],
    ['comes as 503', response('503 x', {}, ''), 'AGENT_UNAVAILABLE'],
    ['is no JSON', response('200 OK', { 'Content-Type': 'application/json' }, '{'), 'CONTRACT_BROKEN'],
    ['is a refusal of its own', new HubError('FORBIDDEN', 'not for you'), 'FORBIDDEN'],
    ['is a wrong parameter', new HubError('INVALID_PARAMS', 'no such URI'), 'NOT_FOUND'],
  ])('whose answer %s fails as it is', async (_, answer, code) => {
    const { offers } = await serveMethods({ 'resources/read': () => answer })
    await expect(offers.readResource({ uri: 'note://1' }, never)).rejects.toMatchObject({ code })
  })
})
