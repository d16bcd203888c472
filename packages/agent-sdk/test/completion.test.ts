import { afterEach, describe, expect, test } from '@jest/globals'
import { definePrompt, defineResource } from '../src/index.js'
import { askLegacy, askModern } from './mcp-requests.js'
import { closeAll, postJson, serve } from './served-agent.js'

interface CompletionAnswer {
  readonly result?: unknown
  readonly error?: unknown
}

const CITIES: Readonly<Record<string, readonly string[]>> = { kr: ['Seoul', 'Busan'], fr: ['Paris'] }
const visit = definePrompt({
  name: 'visit',
  description: 'Plans a visit.',
  arguments: [
    { name: 'country', complete: (value) => Object.keys(CITIES).filter((name) => name.startsWith(value)) },
    { name: 'city', complete: async (_value, { known }) => CITIES[known.country ?? ''] ?? [] },
    { name: 'when' },
  ],
  write: () => 'Plan it.',
})
const notes = defineResource({
  uri: 'note://tester/{id}',
  name: 'Notes',
  complete: { id: (value) => Array.from({ length: 150 }, (_, at) => `${value}${at}`) },
  read: () => undefined,
})

afterEach(closeAll)

const OF_PROMPT = { type: 'ref/prompt', name: 'visit' }
const OF_NOTES = { type: 'ref/resource', uri: 'note://tester/{id}' }

describe.each([
  ['MCP of the modern era', askModern],
  ['MCP of the legacy era', askLegacy],
  [
    'the native endpoint',
    (url: string, method: string, params: object) =>
      postJson(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  ],
] as const)('completion over %s', (_name, ask) => {
  const start = async () => (await serve([], {}, { prompts: [visit], resources: [notes] })).url
  const complete = async (url: string, ref: object, name: unknown, value: unknown, context?: object) =>
    (await ask(url, 'completion/complete', { ref, argument: { name, value }, ...(context && { context }) }))
      .body as CompletionAnswer

  test('suggests values of arguments, by what is typed and by what is chosen already', async () => {
    const url = await start()
    const { result } = await complete(url, OF_PROMPT, 'country', 'k')
    expect(result).toMatchObject({ completion: { values: ['kr'], total: 1, hasMore: false } })
    const cities = await complete(url, OF_PROMPT, 'city', '', { arguments: { country: 'fr' } })
    expect(cities.result).toMatchObject({ completion: { values: ['Paris'] } })
    const none = await complete(url, OF_PROMPT, 'when', '')
    expect(none.result).toMatchObject({ completion: { values: [], total: 0, hasMore: false } })
  })

  test('suggests at most 100 values of a variable, and says that there are more', async () => {
    const { result } = await complete(await start(), OF_NOTES, 'id', 'n')
    expect(result).toMatchObject({ completion: { total: 150, hasMore: true } })
    expect((result as { completion: { values: string[] } }).completion.values).toHaveLength(100)
  })

  test.each<[string, object, unknown, unknown, string]>([
    ['no such prompt', { type: 'ref/prompt', name: 'none' }, 'a', '', 'ref.name'],
    ['no such template', { type: 'ref/resource', uri: 'x://y' }, 'a', '', 'ref.uri'],
    ['another kind', { type: 'ref/tool' }, 'a', '', 'ref.type'],
    ['no name', OF_PROMPT, 7, '', 'argument.name'],
    ['no value', OF_PROMPT, 'city', null, 'argument.value'],
  ])('refuses what names %s, with the place', async (_what, ref, name, value, path) => {
    const { error } = await complete(await start(), ref, name, value)
    expect(error).toMatchObject({ code: -32602, data: { path } })
  })

  test('is no method of an agent that completes nothing', async () => {
    const plain = definePrompt({ name: 'plain', description: '', write: () => '' })
    const { url } = await serve([], {}, { prompts: [plain] })
    const { error } = await complete(url, { type: 'ref/prompt', name: 'plain' }, 'a', '')
    expect(error).toMatchObject({ code: -32601 })
  })
})

test('the capability is announced by agents that complete something, and completers are in no list', async () => {
  const { url } = await serve([], {}, { prompts: [visit] })
  expect(((await askModern(url, 'server/discover')).body as CompletionAnswer).result).toMatchObject({
    capabilities: { completions: {} },
  })
  const { prompts } = ((await askModern(url, 'prompts/list')).body as CompletionAnswer).result as { prompts: object[] }
  expect(prompts).toEqual([
    {
      name: 'visit',
      description: 'Plans a visit.',
      arguments: [{ name: 'country' }, { name: 'city' }, { name: 'when' }],
    },
  ])
})
