import { describe, expect, test } from '@jest/globals'
import { ConfigError, parseConfig } from '../../src/index.js'

const DIGEST = 'a'.repeat(64)

function parseAgent(agent: object, environment: Record<string, string> = {}) {
  const text = JSON.stringify({ agents: { A: agent } })
  return parseConfig({ text, file: 'my.config.json', environment }).agents.get('A')
}

function problemOf(agent: object, environment: Record<string, string> = {}): string {
  try {
    parseAgent(agent, environment)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  return 'none'
}

describe('parseConfig: how an agent is reached', () => {
  test('is the native surface where nothing is said, or an MCP endpoint, or a tool service', () => {
    const url = 'https://a.example/mcp'
    expect(parseAgent({ url })).toMatchObject({ connector: 'native', url })
    const environment = { A_SECRET: 's3cret' }
    const secret = { env: 'A_SECRET' }
    expect(parseAgent({ connector: 'mcp-http', url, secret }, environment)).toMatchObject({
      connector: 'mcp-http',
      url,
      secret: 's3cret',
    })
    expect(parseAgent({ connector: 'tool-service', url, manifest: 'file:tools.json' })).toMatchObject({
      connector: 'tool-service',
      url,
      manifest: 'file:tools.json',
    })
  })

  test('is a child process that sees its own environment and next to nothing of ours', () => {
    const agent = {
      connector: 'mcp-stdio',
      command: 'node',
      args: ['server.mjs', ''],
      env: { API_KEY: { env: 'OUR_KEY' }, MODE: 'quiet', HOME: '/srv/agent' },
      cwd: '/srv',
      sha256: { 'server.mjs': DIGEST },
    }
    const environment = { OUR_KEY: 'k', PATH: '/usr/bin', HOME: '/root', LANG: 'C', SYNCHUB_AGENT_SECRET: 'hidden' }
    const parsed = parseAgent(agent, environment)
    expect(parsed).toMatchObject({
      connector: 'mcp-stdio',
      command: 'node',
      args: ['server.mjs', ''],
      cwd: '/srv',
      sha256: new Map([['server.mjs', DIGEST]]),
    })
    expect(parsed).toHaveProperty('environment', {
      PATH: '/usr/bin',
      HOME: '/srv/agent',
      LANG: 'C',
      API_KEY: 'k',
      MODE: 'quiet',
    })
    expect(parsed).not.toHaveProperty('url')
    // What the file says itself hides nothing.
    expect(parsed).toHaveProperty('secrets', ['k'])
  })

  test('needs no more of a child process than its command', () => {
    expect(parseAgent({ connector: 'mcp-stdio', command: 'server' })).toEqual({
      name: 'A',
      connector: 'mcp-stdio',
      command: 'server',
      args: [],
      environment: {},
      secrets: [],
      sha256: new Map(),
      trust: 'internal',
      concurrency: 10,
      policy: expect.objectContaining({ mode: 'queued' }),
      tools: new Map(),
    })
  })

  const stdio = { connector: 'mcp-stdio', command: 'server' }
  const url = 'http://a'
  test.each<[string, object, string]>([
    [
      'a connector that does not exist',
      { connector: 'smtp', url },
      'connector must be one of ["native","mcp-http","mcp-stdio","tool-service"]',
    ],
    ['no address', { connector: 'mcp-http' }, 'url is required'],
    ['no command', { connector: 'mcp-stdio' }, 'command is required'],
    ['no manifest', { connector: 'tool-service', url }, 'manifest is required'],
    ['a command of a native agent', { url, command: 'x' }, 'command is no setting of the connector "native"'],
    [
      'a manifest of an MCP server',
      { connector: 'mcp-http', url, manifest: 'x' },
      'manifest is no setting of the connector "mcp-http"',
    ],
    ['an address of a child process', { ...stdio, url }, 'url is no setting of the connector "mcp-stdio"'],
    ['a secret of a child process', { ...stdio, secret: 's' }, 'secret is no setting of the connector "mcp-stdio"'],
    [
      'a child process that the hub would call',
      { ...stdio, mode: 'direct' },
      'mode must be "queued": an agent of the connector "mcp-stdio" is a child process of a dispatcher',
    ],
    [
      'a tool of one that the hub would call',
      { ...stdio, tools: { t: { mode: 'direct' } } },
      'tools.t.mode must be "queued": an agent of the connector "mcp-stdio" is a child process of a dispatcher',
    ],
    ['a command line in one text', { ...stdio, args: 'a b' }, 'args must be an array'],
    ['an argument with a NUL', { ...stdio, args: ['a', 'b\0'] }, 'args.1 must be text that matches ^[^\\u0000]*$'],
    [
      'a variable with a strange name',
      { ...stdio, env: { 'a=b': 'x' } },
      'env.a=b is no allowed name: it must be text that matches ^[A-Za-z_][A-Za-z0-9_]*$',
    ],
    [
      'a variable that nobody has set',
      { ...stdio, env: { KEY: { env: 'OUR_KEY' } } },
      'env.KEY takes its value from the environment variable OUR_KEY, which is not set: set it',
    ],
    ['a variable with a NUL', { ...stdio, env: { KEY: 'a\0' } }, 'env.KEY must hold no NUL'],
    [
      'a digest that is none',
      { ...stdio, sha256: { server: 'abc' } },
      'sha256.server must be text that matches ^[0-9a-f]{64}$',
    ],
    ['no digest at all', { ...stdio, sha256: {} }, 'sha256 must have at least 1 property'],
  ])('refuses %s', (_, agent, problem) => {
    expect(problemOf(agent)).toBe(`my.config.json: agents.A.${problem}`)
  })
})
