import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { agentOf } from '../../src/config/hub-config.js'
import { ConfigError, type HubConfig, parseConfig } from '../../src/index.js'

const PATH = { name: 'hr', url: 'http://hr:8080/api/', manifest: 'tools.json' }

function parse(publicPaths: JsonObject, agents: JsonObject = {}, environment = {}): HubConfig {
  return parseConfig({ text: JSON.stringify({ agents, publicPaths }), file: 'my.config.json', environment })
}

function problemOf(publicPaths: JsonObject, agents: JsonObject = {}): string {
  try {
    parse(publicPaths, agents)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  return 'none'
}

describe('a public path', () => {
  test('is a tool service of its own that is asked once, at once, and never through a queue', () => {
    const { publicPaths } = parse({ '/agent-builder/hr': PATH })
    expect([...publicPaths.keys()]).toEqual(['/agent-builder/hr'])
    expect(publicPaths.get('/agent-builder/hr')).toEqual({
      path: '/agent-builder/hr',
      title: 'hr',
      version: '1.0.0',
      agent: {
        name: 'hr',
        connector: 'tool-service',
        url: 'http://hr:8080/api/',
        manifest: 'tools.json',
        trust: 'internal',
        concurrency: 1,
        policy: {
          mode: 'direct',
          silenceTimeoutMs: 30_000,
          maxDurationMs: 30_000,
          queueWaitMs: 600_000,
          lateAnswerMs: 60_000,
          safeToRepeat: false,
          taskOnly: false,
          asksFirst: false,
          maxAttempts: 1,
          retryDelayMs: 1000,
        },
        tools: new Map(),
      },
      profile: 'production',
      refreshMs: 30_000,
    })
  })

  test('takes its tools from a file in the profile local only', () => {
    const sample = 'config/local-core-tools-manifest-sample-v1.json'
    const local = parse({ '/hr': { ...PATH, profile: 'local' } }).publicPaths.get('/hr')
    expect(local).toMatchObject({ profile: 'local', fallbackManifest: sample })
    expect(problemOf({ '/hr': { ...PATH, fallbackManifest: 'mine.json' } })).toBe(
      'my.config.json: publicPaths./hr.fallbackManifest belongs to the profile "local": production takes its tools from the service alone',
    )
    expect(problemOf({ '/hr': { ...PATH, manifest: 'file:mine.json' } })).toMatch(/publicPaths\.\/hr\.manifest/)
  })

  test('is no agent of the hub, and is still found by whoever ends its calls', () => {
    const config = parse({ '/hr': PATH }, { Boot: { url: 'http://boot:1' } })
    expect([...config.agents.keys()]).toEqual(['Boot'])
    expect(agentOf(config, 'Boot')?.name).toBe('Boot')
    expect(agentOf(config, 'hr')?.policy.maxDurationMs).toBe(30_000)
    expect(agentOf(config, 'nobody')).toBeUndefined()
  })

  test('has a name that nobody else has', () => {
    const taken = 'is "hr", which an agent or another public path has too'
    expect(problemOf({ '/hr': PATH }, { hr: { url: 'http://boot:1' } })).toContain(`publicPaths./hr.name ${taken}`)
    expect(problemOf({ '/a': PATH, '/b': PATH })).toContain(`publicPaths./b.name ${taken}`)
  })

  test.each(['/rpc', '/mcp', '/healthz', '/traces/x', '/agents', '/.well-known/x'])(
    'is not %s, which is the hub’s own',
    (path) => {
      expect(problemOf({ [path]: PATH })).toContain(`publicPaths.${path} is a path that the hub serves itself`)
    },
  )

  test.each(['/mcp/hr', '/agent-builder/v1/hr_tools', '/tracesAndMore', '/~a.b-c'])('may be %s', (path) => {
    expect(problemOf({ [path]: PATH })).toBe('none')
  })

  test.each(['hr', '/', '/hr/', '//hr', '/h r', '/%68r', '/../hr', '/hr/..', '/hr?x=1', '/사원'])(
    'is not %j',
    (path) => {
      expect(problemOf({ [path]: PATH })).not.toBe('none')
    },
  )

  test.each<[string, JsonObject]>([
    ['a user in its URL', { url: 'http://me:secret@hr' }],
    ['a secret that is no header', { secret: 'two\nlines' }],
    ['a time that a proxy would cut', { timeoutMs: 55_000 }],
    ['an unknown profile', { profile: 'staging' }],
    ['an unknown setting', { mode: 'queued' }],
    ['no manifest', { manifest: undefined }],
  ])('has not %s', (_, change) => {
    expect(problemOf({ '/hr': { ...PATH, ...change } })).toMatch(/^my\.config\.json: publicPaths\./)
  })
})
