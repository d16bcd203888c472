import { describe, expect, test } from '@jest/globals'
import { defineAgent, definePrompt, defineResource, ToolError } from '../src/index.js'
import { testAgent } from '../src/testing/index.js'

const agentOf = (options: Partial<Parameters<typeof defineAgent>[0]>) =>
  testAgent(defineAgent({ name: 'Tester', version: '1.0.0', tools: [], ...options }))

const INVALID = expect.objectContaining({ code: 'INVALID_PARAMS' })

describe('definePrompt', () => {
  const greet = definePrompt({
    name: 'greet',
    description: 'Greets.',
    arguments: [{ name: 'who', required: true }, { name: 'how' }],
    write: ({ who, how = 'kindly' }) => `Greet ${who} ${how}.`,
  })

  test('writes a text as one message of the user', async () => {
    expect(await agentOf({ prompts: [greet] }).getPrompt('greet', { who: 'Kim' })).toEqual({
      description: 'Greets.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Kim kindly.' } }],
    })
  })

  test.each([
    ['a missing argument', {}, 'arguments.who'],
    ['an argument that it does not have', { who: 'a', when: 'now' }, 'arguments.when'],
    ['an argument of the prototype', { who: 'a', toString: 'x' }, 'arguments.toString'],
  ])('refuses %s by its name', async (_, args, path) => {
    const refusal = expect.objectContaining({ code: 'INVALID_PARAMS', details: expect.objectContaining({ path }) })
    await expect(agentOf({ prompts: [greet] }).getPrompt('greet', args)).rejects.toEqual(refusal)
  })

  test('has one name in an agent and each argument once', () => {
    expect(() => agentOf({ prompts: [greet, greet] })).toThrow('agent Tester: two prompts are called greet')
    const twice = { name: 'x', description: '', arguments: [{ name: 'a' }, { name: 'a' }], write: () => '' }
    expect(() => definePrompt(twice)).toThrow('two arguments have the same name')
  })
})

describe('defineResource', () => {
  const numbers = (count: number, uri: 'x://n/{id}' | 'y://n/{id}' = 'x://n/{id}') =>
    defineResource({
      uri,
      name: 'numbers',
      list: ({ cursor = '0', limit }) => {
        const start = Number(cursor)
        const end = Math.min(start + limit, count)
        const entries = Array.from({ length: end - start }, (_, place) => ({
          variables: { id: String(start + place) },
          name: `Number ${start + place}`,
        }))
        return { entries, ...(end < count ? { nextCursor: String(end) } : {}) }
      },
      read: ({ id }) => (Number(id) < count ? `number ${id}` : undefined),
    })
  const note = defineResource({ uri: 'x://note', name: 'note', mimeType: 'text/plain', read: () => 'a note' })
  const bytes = defineResource({ uri: 'x://bytes', name: 'bytes', read: () => new Uint8Array([0, 255]) })

  test('lists all of every kind, page after page, whatever kind is empty', async () => {
    const agent = agentOf({ resources: [numbers(0, 'y://n/{id}'), numbers(120), note] })
    const listed = await agent.listResources()
    expect(listed.map(({ uri }) => uri)).toEqual([
      ...Array.from({ length: 120 }, (_, place) => `x://n/${place}`),
      'x://note',
    ])
  })

  test('says of an entry what its author knows', async () => {
    const modifiedAt = new Date(0)
    const file = defineResource({
      uri: 'x://f/{id}',
      name: 'files',
      mimeType: 'text/plain',
      list: () => ({ entries: [{ variables: { id: 'a b' }, name: 'A', title: 'T', sizeBytes: 3, modifiedAt }] }),
      read: () => '',
    })
    expect(await agentOf({ resources: [file] }).listResources()).toEqual([
      {
        uri: 'x://f/a%20b',
        name: 'A',
        title: 'T',
        mimeType: 'text/plain',
        size: 3,
        annotations: { lastModified: '1970-01-01T00:00:00.000Z' },
      },
    ])
  })

  test('reads text as text and bytes as base64', async () => {
    const agent = agentOf({ resources: [numbers(3), note, bytes] })
    expect(await agent.readResource('x://note')).toEqual({ uri: 'x://note', mimeType: 'text/plain', text: 'a note' })
    expect(await agent.readResource('x://bytes')).toEqual({ uri: 'x://bytes', blob: 'AP8=' })
    expect(await agent.readResource('x://n/2')).toEqual({ uri: 'x://n/2', text: 'number 2' })
    expect(await agent.readResource('x://n/3')).toBeUndefined()
    expect(await agent.readResource('x://n/..')).toBeUndefined()
  })

  test('hands a bad cursor of its own kind back as a refusal', async () => {
    const picky = defineResource({
      uri: 'x://p/{id}',
      name: 'picky',
      list: ({ cursor }) => {
        if (cursor !== undefined) throw new ToolError('INVALID_PARAMS', 'no such cursor')
        return { entries: [], nextCursor: 'x' }
      },
      read: () => undefined,
    })
    await expect(agentOf({ resources: [picky] }).listResources()).rejects.toEqual(INVALID)
  })

  test('has its URI once in an agent', () => {
    expect(() => agentOf({ resources: [note, note] })).toThrow('agent Tester: two resources have the URI x://note')
  })
})
