import { describe, expect, test } from '@jest/globals'
import { ConfigError, type HubConfig, parseConfig, policyOf } from '../../src/index.js'

const AGENT = { url: 'http://127.0.0.1:4101' }
const KEY = { name: 'verse', sha256: 'a'.repeat(64), tenant: 'acme', agent: 'SyncVerse', scopes: ['tools:call'] }

function parse(config: unknown, environment: Record<string, string> = {}): HubConfig {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  return parseConfig({ text, file: 'my.config.json', environment })
}

function problemOf(config: unknown, environment: Record<string, string> = {}): string {
  try {
    parse(config, environment)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  return 'none'
}

describe('parseConfig: defaults', () => {
  test('fills in every one', () => {
    const config = parse({ agents: { SyncBoot: AGENT } })
    const policy = {
      mode: 'queued',
      silenceTimeoutMs: 60_000,
      maxDurationMs: 3_600_000,
      queueWaitMs: 600_000,
      lateAnswerMs: 60_000,
      safeToRepeat: false,
      taskOnly: false,
      asksFirst: false,
      maxAttempts: 3,
      retryDelayMs: 1000,
    }
    expect(config).toEqual({
      access: { mode: 'none' },
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      allowedOrigins: [],
      limits: {
        maxBodyBytes: 4_194_304,
        maxDepth: 64,
        maxBatchSize: 50,
        maxWaitMs: 50_000,
        defaultWaitMs: 30_000,
        maxCallDepth: 8,
        maxTraceProgressBytes: 67_108_864,
        maxTraceBytes: 268_435_456,
        caller: { streams: 50_000, sessions: 1000 },
        tenant: {},
      },
      idempotency: { rememberMs: 86_400_000 },
      streams: {
        heartbeatMs: 15_000,
        maxAgeMs: 3_600_000,
        retryMs: 1000,
        lingerMs: 2000,
        maxBufferedBytes: 262_144,
        stallTimeoutMs: 30_000,
      },
      retention: {
        maxAgeMs: 604_800_000,
        maxTraces: 100_000,
        maxEventsPerTrace: 100_000,
        deadLetterAgeMs: 2_592_000_000,
      },
      stop: { graceMs: 2000 },
      agents: new Map([
        [
          'SyncBoot',
          {
            name: 'SyncBoot',
            connector: 'native',
            url: AGENT.url,
            trust: 'internal',
            concurrency: 10,
            policy,
            tools: new Map(),
          },
        ],
      ]),
      publicPaths: new Map(),
    })
  })

  test('takes a hub without agents', () => {
    expect(parse({ agents: {} }).agents.size).toBe(0)
  })

  test('does not share them between two readings', () => {
    expect(parse({ agents: {} }).limits).not.toBe(parse({ agents: {} }).limits)
  })
})

describe('parseConfig: settings', () => {
  test('takes what the file says over the defaults', () => {
    const config = parse({
      $schema: './synchub.schema.json',
      http: { allowedHosts: ['hub.example', '[::2]'], allowedOrigins: ['https://dash.example:8443'] },
      limits: { maxDepth: 100, maxWaitMs: 54_999 },
      streams: { heartbeatMs: 10 },
      retention: { maxBytes: 2 ** 30, archive: '/var/lib/synchub/traces' },
      agents: { A: { ...AGENT, trust: 'external', concurrency: 1 } },
    })
    expect(config.allowedHosts).toEqual(['localhost', '127.0.0.1', '[::1]', 'hub.example', '[::2]'])
    expect(config.allowedOrigins).toEqual(['https://dash.example:8443'])
    expect(config.limits).toMatchObject({ maxDepth: 100, maxWaitMs: 54_999, maxBatchSize: 50 })
    expect(config.streams).toMatchObject({ heartbeatMs: 10, retryMs: 1000 })
    expect(config.retention).toMatchObject({
      maxBytes: 2 ** 30,
      archive: '/var/lib/synchub/traces',
      maxTraces: 100_000,
    })
    expect(config.agents.get('A')).toMatchObject({ trust: 'external', concurrency: 1 })
  })

  test("lets a tool's own policy win over its agent's, and that over the defaults", () => {
    const tools = { 'search/all': { mode: 'direct', maxAttempts: 1 } }
    const agent = parse({ agents: { A: { ...AGENT, maxAttempts: 5, safeToRepeat: true, tools } } }).agents.get('A')
    if (agent === undefined) throw new Error('the agent is missing')
    expect(policyOf(agent, 'search/all')).toMatchObject({ mode: 'direct', maxAttempts: 1, safeToRepeat: true })
    expect(policyOf(agent, 'other')).toMatchObject({ mode: 'queued', maxAttempts: 5, safeToRepeat: true })
    expect(Object.keys(policyOf(agent, 'other')).toSorted()).toEqual([
      'asksFirst',
      'lateAnswerMs',
      'maxAttempts',
      'maxDurationMs',
      'mode',
      'queueWaitMs',
      'retryDelayMs',
      'safeToRepeat',
      'silenceTimeoutMs',
      'taskOnly',
    ])
  })

  test('makes the agent the owner of what a key makes, unless a subject is named', () => {
    const keys = [KEY, { ...KEY, sha256: 'b'.repeat(64), subject: 'alice' }]
    expect(parse({ agents: {}, access: { mode: 'keys', keys } }).access).toEqual({
      mode: 'keys',
      keys: [
        { ...KEY, subject: 'SyncVerse' },
        { ...KEY, sha256: 'b'.repeat(64), subject: 'alice' },
      ],
    })
  })
})

describe('parseConfig: values from the environment', () => {
  const fromEnv = { A: { url: { env: 'A_URL', default: 'http://a:1' }, secret: { env: 'A_SECRET' } } }

  test('are read where the file names a variable', () => {
    const environment = { A_URL: 'https://b:2/rpc', A_SECRET: 's3cret' }
    expect(parse({ agents: fromEnv }, environment).agents.get('A')).toMatchObject({
      url: 'https://b:2/rpc',
      secret: 's3cret',
    })
  })

  test('fall back to the default where the variable is not set, or set to nothing', () => {
    for (const environment of [{ A_SECRET: 's' }, { A_SECRET: 's', A_URL: '' }]) {
      expect(parse({ agents: fromEnv }, environment).agents.get('A')).toMatchObject({ url: 'http://a:1' })
    }
  })

  test('are missed by the name of the variable', () => {
    for (const environment of [{}, { A_SECRET: '' }]) {
      expect(problemOf({ agents: fromEnv }, environment)).toBe(
        'my.config.json: agents.A.secret takes its value from the environment variable A_SECRET, which is not set: set it',
      )
    }
  })

  test('are checked as those of the file, and a secret is never shown', () => {
    expect(problemOf({ agents: fromEnv }, { A_SECRET: 's', A_URL: 'ftp://a' })).toBe(
      'my.config.json: agents.A.url must be an http or https URL (the environment variable A_URL or its default)',
    )
    for (const secret of ['with blank', 'two\nlines', 'ümlaut', '\0']) {
      expect(problemOf({ agents: fromEnv }, { A_SECRET: secret })).toBe(
        'my.config.json: agents.A.secret must be visible ASCII characters without blanks (the environment variable A_SECRET or its default)',
      )
    }
  })
})

describe('parseConfig: errors name file, place and expectation', () => {
  const agent = (own: object) => ({ agents: { A: { ...AGENT, ...own } } })
  const access = (...keys: object[]) => ({ agents: {}, access: { mode: 'keys', keys } })

  test('no JSON', () => {
    expect(problemOf('{"agents": {},}')).toMatch(/^my\.config\.json: the file is not JSON: .+/)
  })

  test.each<[string, unknown, string]>([
    ['no object', '[]', 'the file must be an object'],
    ['nothing of the agents', {}, 'agents is required'],
    ['a setting that does not exist', { agents: {}, agent: {} }, 'agent is not a known property'],
    ['one deep inside', { agents: {}, limits: { maxDept: 5 } }, 'limits.maxDept is not a known property'],
    ['one of an agent', agent({ timeoutMs: 5 }), 'agents.A.timeoutMs is not a known property'],
    ['one of a tool', agent({ tools: { 'a/b': { url: 'x' } } }), 'agents.A.tools.a/b.url is not a known property'],
    [
      'an agent with a dot in its name',
      { agents: { 'a.b': AGENT } },
      'agents.a.b is no allowed name: it must be text that matches ^[A-Za-z0-9_-]{1,64}$',
    ],
    ['an agent without an address', { agents: { A: {} } }, 'agents.A.url is required'],
    ['an address that is no text', agent({ url: 7 }), 'agents.A.url must be a string or an object'],
    ['an address of another scheme', agent({ url: 'ws://a' }), 'agents.A.url must be text that matches ^https?://'],
    ['an address that is none', agent({ url: 'http://' }), 'agents.A.url must be an http or https URL'],
    [
      'an address with a password',
      agent({ url: 'http://me:pass@a' }),
      'agents.A.url must hold no user and no password; use "secret"',
    ],
    ['an address by a variable without a name', agent({ url: {} }), 'agents.A.url.env is required'],
    [
      'an address by a variable with a bad name',
      agent({ url: { env: 'a-b' } }),
      'agents.A.url.env must be text that matches ^[A-Z][A-Z0-9_]*$',
    ],
    [
      'an address with two sources',
      agent({ url: { env: 'A', value: 'x' } }),
      'agents.A.url.value is not a known property',
    ],
    ['an empty secret', agent({ secret: '' }), 'agents.A.secret must have at least 1 character'],
    [
      'a secret with a blank',
      agent({ secret: 'a b' }),
      'agents.A.secret must be visible ASCII characters without blanks',
    ],
    ['a mode that does not exist', agent({ mode: 'fast' }), 'agents.A.mode must be one of ["direct","queued"]'],
    ['a limit of the wrong type', { agents: {}, limits: { maxDepth: '64' } }, 'limits.maxDepth must be an integer'],
    ['a limit that is too small', { agents: {}, limits: { maxDepth: 3 } }, 'limits.maxDepth must be >= 4'],
    ['a limit that is too large', { agents: {}, limits: { maxWaitMs: 55_000 } }, 'limits.maxWaitMs must be <= 54999'],
    [
      'a default beyond its limit',
      { agents: {}, limits: { maxWaitMs: 1000 } },
      'limits.defaultWaitMs must be <= 1000, which is limits.maxWaitMs',
    ],
    ['a fraction of a millisecond', agent({ retryDelayMs: 10.5 }), 'agents.A.retryDelayMs must be an integer'],
    ['no attempt', agent({ maxAttempts: 0 }), 'agents.A.maxAttempts must be >= 1'],
    ['mode keys without keys', access(), 'access.keys must hold at least one key in mode "keys"'],
    [
      'a key in the clear',
      access({ ...KEY, sha256: 'secret' }),
      'access.keys.0.sha256 must be text that matches ^[0-9a-f]{64}$',
    ],
    ['a key of nobody', access({ ...KEY, tenant: undefined }), 'access.keys.0.tenant is required'],
    ['a key twice', access(KEY, { ...KEY, name: 'b' }), 'access.keys.1.sha256 is the key of access.keys.0 again'],
    [
      'a scope that does not exist',
      access(KEY, { ...KEY, sha256: 'b'.repeat(64), scopes: ['tools:call', 'tools:admin'] }),
      'access.keys.1.scopes names the scope "tools:admin", which does not exist',
    ],
    [
      'an origin with a path',
      { agents: {}, http: { allowedOrigins: ['https://a/b'] } },
      'http.allowedOrigins.0 must be text that matches ^https?://[^/]+$',
    ],
  ])('%s', (_, config, problem) => {
    expect(problemOf(config)).toBe(`my.config.json: ${problem}`)
  })
})
