import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { loadConfiguration, parseConfiguration } from '../../src/configuration/load.js'
import { configurationSchema } from '../../src/configuration/schema.js'
import { fixtureFileSchema } from '../../src/fixtures/schema.js'
import { makeFolder, removeFolders } from '../temporary-folder.js'

const FILE = '/srv/agent/synceta.config.json'
const parse = (value: unknown, variables: Record<string, string> = {}) =>
  parseConfiguration(JSON.stringify(value), FILE, variables)
const targets = { shop: { url: 'https://shop.test/api' } }
const api = { kind: 'fixtures', folder: '../cases', target: 'shop' }
const unit = { kind: 'command', command: ['npm', 'test'], output: 'tap' }

afterEach(removeFolders)

describe('parseConfiguration', () => {
  test('makes paths absolute from its own folder, fills in variables and defaults', () => {
    const { suites, limits } = parse(
      {
        targets: {
          shop: {
            url: { env: 'SHOP_URL', default: 'http://127.0.0.1:1' },
            headers: {
              'x-plain': 'yes',
              authorization: { env: 'SHOP_KEY', prefix: 'Bearer ' },
              'x-absent': { env: 'NOT_SET', optional: true },
              'x-empty': { env: 'EMPTY', optional: true },
            },
            allowAddresses: ['10.0.0.0/8'],
          },
        },
        suites: {
          api,
          unit: { ...unit, environment: { pass: ['PATH', 'NOT_SET'], secrets: ['SHOP_KEY'], set: { CI: '1' } } },
        },
      },
      { SHOP_URL: 'https://shop.test/api/', SHOP_KEY: 'secret-key', PATH: '/bin', EMPTY: '', OTHER: 'never' },
    )
    expect(suites.get('api')).toEqual({
      kind: 'fixtures',
      name: 'api',
      folder: '/srv/cases',
      concurrency: 1,
      caseTimeoutMs: 10_000,
      timeoutMs: 600_000,
      target: {
        name: 'shop',
        url: new URL('https://shop.test/api/'),
        headers: { 'x-plain': 'yes', authorization: 'Bearer secret-key' },
        allowAddresses: ['10.0.0.0/8'],
      },
      secrets: ['secret-key'],
    })
    expect(suites.get('unit')).toEqual({
      kind: 'command',
      name: 'unit',
      command: ['npm', 'test'],
      cwd: '/srv/agent',
      output: 'tap',
      environment: { PATH: '/bin', SHOP_KEY: 'secret-key', CI: '1' },
      filters: new Map(),
      timeoutMs: 1_800_000,
      secrets: ['secret-key'],
    })
    expect(limits).toMatchObject({ maxConcurrentRuns: 2, maxCases: 5_000 })
  })

  test.each([
    ['no suite', { suites: {} }, 'suites: must name at least one suite'],
    ['a name that is a path', { suites: { '../x': unit } }, 'suites.../x: must be 1 to 64 letters'],
    ['an unknown kind', { suites: { x: { kind: 'shell' } } }, 'suites.x.kind: '],
    ['a command that is a line', { suites: { x: { ...unit, command: 'npm test' } } }, 'suites.x.command: '],
    ['an argument with NUL', { suites: { x: { ...unit, command: ['a\0'] } } }, 'must hold no NUL'],
    ['another output', { suites: { x: { ...unit, output: 'junit' } } }, 'suites.x.output: '],
    ['a misspelt member', { suites: { x: { ...unit, comand: [] } } }, 'suites.x: '],
    ['a target that is none', { suites: { api } }, 'suites.api.target: must be one of the targets, which are: none'],
    ['a limit beyond its bounds', { suites: { unit }, limits: { killGraceMs: 60_000 } }, 'limits.killGraceMs: '],
    ['a URL that is none', { targets: { a: { url: 'shop' } }, suites: { unit } }, 'targets.a.url: must be a URL'],
    ['another scheme', { targets: { a: { url: 'file:///etc' } }, suites: { unit } }, 'must be an http or https URL'],
    ['credentials', { targets: { a: { url: 'https://u:p@x.test' } }, suites: { unit } }, 'must hold no credentials'],
    ['a query', { targets: { a: { url: 'https://x.test/?a=1' } }, suites: { unit } }, 'must end with its path'],
    [
      'a URL that is not set',
      { targets: { a: { url: { env: 'SHOP_URL' } } }, suites: { unit } },
      'targets.a.url (SHOP_URL): is not set and has no default',
    ],
    [
      'a key that is not set',
      { targets: { a: { url: 'https://x.test', headers: { authorization: { env: 'SHOP_KEY' } } } }, suites: { unit } },
      'targets.a.headers.authorization: SHOP_KEY is not set',
    ],
    [
      'a range that is none',
      { targets: { a: { url: 'https://x.test', allowAddresses: ['localhost'] } }, suites: { unit } },
      'targets.a.allowAddresses.0: must be a range of addresses',
    ],
  ])('refuses %s, naming the file, the place and what was expected', (_name, value, reason) => {
    expect(() => parse(value)).toThrow(`${FILE}: `)
    expect(() => parse(value)).toThrow(reason)
  })

  test('refuses what is not JSON', () => {
    expect(() => parseConfiguration('{', FILE, {})).toThrow(`${FILE} is not JSON`)
  })
})

describe('loadConfiguration', () => {
  test('says which file cannot be read and which variable names it', async () => {
    await expect(loadConfiguration('/none/config.json', {})).rejects.toThrow(
      '/none/config.json cannot be read: set SYNCETA_CONFIG to a readable file',
    )
  })

  test('reads a file', async () => {
    const folder = await makeFolder({ 'config.json': { targets, suites: { api, unit } } })
    const { suites } = await loadConfiguration(join(folder, 'config.json'), {})
    expect([...suites.keys()]).toEqual(['api', 'unit'])
  })

  test('accepts the configuration that comes with the agent, with and without a key', async () => {
    const path = fileURLToPath(new URL('../../synceta.config.json', import.meta.url))
    expect((await loadConfiguration(path, {})).suites.get('synchub')).toMatchObject({
      target: { url: new URL('http://127.0.0.1:4000'), headers: {} },
    })
    const variables = { SYNCHUB_URL: 'https://hub.test', SYNCHUB_API_KEY: 'sk-1' }
    expect((await loadConfiguration(path, variables)).suites.get('synchub')).toMatchObject({
      target: { url: new URL('https://hub.test'), headers: { authorization: 'Bearer sk-1' } },
      secrets: ['sk-1'],
    })
  })
})

describe('the published JSON Schemas', () => {
  test.each([
    ['synceta.schema.json', configurationSchema],
    ['fixtures.schema.json', fixtureFileSchema],
  ])('%s is the one that the agent checks with', async (file, schema) => {
    const published = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(JSON.parse(published)).toEqual(z.toJSONSchema(schema, { io: 'input' }))
  })
})
