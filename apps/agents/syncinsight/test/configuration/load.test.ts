import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { loadConfiguration, parseConfiguration } from '../../src/configuration/load.js'
import { configurationSchema } from '../../src/configuration/schema.js'
import { makeFiles, removeFolders } from '../temporary-folder.js'

const FILE = '/srv/agent/syncinsight.config.json'
const parse = (value: unknown) => parseConfiguration(JSON.stringify(value), FILE)
const docs = { kind: 'folder', path: '../docs' }

afterEach(removeFolders)

describe('parseConfiguration', () => {
  test('makes paths absolute from its own folder and fills in defaults', () => {
    const { sources, limits, summary } = parse({
      sources: { docs, readme: { kind: 'file', path: 'README.md' }, news: { kind: 'url', url: 'https://x.test/a' } },
    })
    expect([...sources.values()]).toEqual([
      {
        kind: 'folder',
        name: 'docs',
        path: '/srv/docs',
        include: ['**/*.{md,markdown,txt,html,htm}'],
        exclude: [],
      },
      { kind: 'file', name: 'readme', path: '/srv/agent/README.md' },
      { kind: 'url', name: 'news', url: new URL('https://x.test/a'), allowPrivate: false },
    ])
    expect(limits).toMatchObject({ maxFileBytes: 524_288, fetchTimeoutMs: 15_000 })
    expect(summary).toBeUndefined()
  })

  test.each([
    ['no source', { sources: {} }, 'sources: must name at least one source'],
    ['a name that is a path', { sources: { '../../etc': docs } }, 'sources.../../etc: '],
    ['an unknown kind', { sources: { docs: { kind: 'database' } } }, 'sources.docs.kind: '],
    ['a missing path', { sources: { docs: { kind: 'folder' } } }, 'sources.docs.path: '],
    ['a misspelt member', { sources: { docs: { ...docs, inclde: [] } } }, 'sources.docs: '],
    ['a limit of another type', { sources: { docs }, limits: { maxFileBytes: '1' } }, 'limits.maxFileBytes: '],
    ['a limit beyond its bounds', { sources: { docs }, limits: { maxRedirects: 11 } }, 'limits.maxRedirects: '],
    ['a URL that is none', { sources: { a: { kind: 'url', url: 'x' } } }, 'sources.a.url: must be a URL'],
    [
      'another scheme',
      { sources: { a: { kind: 'url', url: 'file:///etc/passwd' } } },
      'sources.a.url: must be http or https',
    ],
    ['credentials', { sources: { a: { kind: 'url', url: 'https://u:p@x.test' } } }, 'must hold no credentials'],
    ['a private address', { sources: { a: { kind: 'url', url: 'http://10.0.0.1/' } } }, 'set allowPrivate'],
    [
      'a key in the clear',
      { sources: { docs }, summary: { endpoint: 'http://model.test/v1', model: 'm', apiKeyEnv: 'KEY' } },
      'summary.endpoint: must be an https URL',
    ],
    [
      'a key in the file',
      { sources: { docs }, summary: { endpoint: 'https://model.test/v1', model: 'm', apiKeyEnv: 'sk-123' } },
      'summary.apiKeyEnv: must be the name of an environment variable',
    ],
  ])('refuses %s, naming the file, the place and what was expected', (_name, value, reason) => {
    expect(() => parse(value)).toThrow(`${FILE}: `)
    expect(() => parse(value)).toThrow(reason)
  })

  test('refuses what is not JSON', () => {
    expect(() => parseConfiguration('{', FILE)).toThrow(`${FILE} is not JSON`)
  })

  test('lets a model on this machine go without TLS', () => {
    const endpoint = 'http://127.0.0.1:11434/v1'
    expect(parse({ sources: { docs }, summary: { endpoint, model: 'm', apiKeyEnv: 'KEY' } }).summary).toMatchObject({
      endpoint,
    })
  })
})

describe('loadConfiguration', () => {
  test('says which file cannot be read and which variable names it', async () => {
    await expect(loadConfiguration('/none/config.json')).rejects.toThrow(
      '/none/config.json cannot be read: set SYNCINSIGHT_CONFIG to a readable file',
    )
  })

  test('reads a file', async () => {
    const folder = await makeFiles({ 'config.json': JSON.stringify({ sources: { docs } }) })
    const { sources } = await loadConfiguration(join(folder, 'config.json'))
    expect([...sources.keys()]).toEqual(['docs'])
  })

  test('accepts the configuration that comes with the agent', async () => {
    const path = fileURLToPath(new URL('../../syncinsight.config.json', import.meta.url))
    const { sources } = await loadConfiguration(path)
    expect([...sources.keys()]).toEqual(['readme', 'docs', 'packages'])
  })
})

describe('the published JSON Schema', () => {
  test('is the one that the agent checks with', async () => {
    const published = await readFile(new URL('../../syncinsight.schema.json', import.meta.url), 'utf8')
    expect(JSON.parse(published)).toEqual(z.toJSONSchema(configurationSchema, { io: 'input' }))
  })
})
