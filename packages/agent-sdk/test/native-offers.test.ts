import { afterEach, describe, expect, test } from '@jest/globals'
import { definePrompt, defineResource } from '../src/index.js'
import { closeAll, postJson, serve } from './served-agent.js'

const note = defineResource({
  uri: 'note://tester/{id}',
  name: 'Notes',
  mimeType: 'text/plain',
  list: () => ({ entries: [{ variables: { id: '메모' }, name: 'A note' }] }),
  read: ({ id }) => (id === '메모' ? '안녕 🎉' : undefined),
})
const huge = defineResource({ uri: 'note://huge', name: 'Huge', read: () => 'x'.repeat(2_000) })
const greet = definePrompt({
  name: 'greet',
  description: 'Greets.',
  arguments: [{ name: 'who', required: true }],
  write: ({ who }) => `Greet ${who}.`,
})

const rpc = (method: string, params: unknown = {}) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })

async function ask(url: string, method: string, params: unknown = {}) {
  return postJson(url, rpc(method, params))
}

afterEach(closeAll)

describe('the native endpoint of an agent with resources and prompts', () => {
  test('lists and reads resources, as MCP has them', async () => {
    const { url } = await serve([], {}, { resources: [note] })
    const uri = 'note://tester/%EB%A9%94%EB%AA%A8'
    const resources = [{ uri, name: 'A note', mimeType: 'text/plain' }]
    expect((await ask(url, 'resources/list')).body).toEqual({ jsonrpc: '2.0', id: 7, result: { resources } })
    expect((await ask(url, 'resources/templates/list')).body).toMatchObject({
      result: { resourceTemplates: [{ uriTemplate: 'note://tester/{id}', name: 'Notes', mimeType: 'text/plain' }] },
    })
    expect((await ask(url, 'resources/read', { uri })).body).toMatchObject({
      result: { contents: [{ uri, mimeType: 'text/plain', text: '안녕 🎉' }] },
    })
  })

  test('lists and fills prompts', async () => {
    const { url } = await serve([], {}, { prompts: [greet] })
    expect((await ask(url, 'prompts/list')).body).toMatchObject({ result: { prompts: [{ name: 'greet' }] } })
    expect((await ask(url, 'prompts/get', { name: 'greet', arguments: { who: 'Kim' } })).body).toMatchObject({
      result: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Kim.' } }] },
    })
  })

  test.each([
    ['a resource that is not there', 'resources/read', { uri: 'note://tester/none' }, 404, 'NOT_FOUND'],
    ['a prompt that is not there', 'prompts/get', { name: 'none' }, 404, 'NOT_FOUND'],
    ['a prompt with an argument missing', 'prompts/get', { name: 'greet' }, 422, 'INVALID_PARAMS'],
    ['a URI that is no text', 'resources/read', { uri: 7 }, 422, 'INVALID_PARAMS'],
    ['a result that is too large', 'resources/read', { uri: 'note://huge' }, 500, 'INTERNAL_ERROR'],
  ])('refuses %s with the code of the table', async (_, method, params, status, title) => {
    const { url } = await serve([], { maxAnswerBytes: 1_000 }, { resources: [note, huge], prompts: [greet] })
    const answer = await ask(url, method, params)
    expect(answer).toMatchObject({ status, body: { id: 7, error: { data: { title, instance: `/${method}` } } } })
  })

  test('has no such method where it has nothing of the kind', async () => {
    const { url } = await serve([])
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      expect(await ask(url, method)).toMatchObject({
        status: 404,
        body: { error: { data: { title: 'METHOD_NOT_FOUND' } } },
      })
    }
  })
})
