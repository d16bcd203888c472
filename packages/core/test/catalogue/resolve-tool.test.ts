import { describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { type Catalogue, EMPTY_CATALOGUE, type HubConfig, resolveTool, type ToolQuery } from '../../src/index.js'
import { catalogueOf, configOf, permutations, seenAgent } from './agents.js'

function resolve(query: ToolQuery | string, catalogue: Catalogue, config: HubConfig) {
  try {
    const tool = resolveTool(typeof query === 'string' ? { name: query } : query, catalogue, config)
    return `${tool.agent.name} ${tool.name}`
  } catch (thrown) {
    if (thrown instanceof HubError) return [thrown.code, thrown.reason]
    throw thrown
  }
}

describe('resolveTool', () => {
  const config = configOf({ Boot: {}, Insight: {} })
  const catalogue = catalogueOf(seenAgent('Boot', ['schema', 'search']), seenAgent('Insight', ['research', 'search']))

  test('finds a tool by its bare name, by its agent and name, and by targetAgent', () => {
    expect(resolve('schema', catalogue, config)).toBe('Boot schema')
    expect(resolve('Boot.schema', catalogue, config)).toBe('Boot schema')
    expect(resolve({ name: 'search', targetAgent: 'Insight' }, catalogue, config)).toBe('Insight search')
    expect(resolve({ name: 'Insight.search', targetAgent: 'Insight' }, catalogue, config)).toBe('Insight search')
  })

  test('gives the offer, the policy of the tool and whether its agent is there', () => {
    const own = { maxAttempts: 7, tools: { schema: { mode: 'direct' } } }
    const tool = resolveTool({ name: 'schema' }, catalogue, configOf({ Boot: own, Insight: {} }))
    expect(tool).toMatchObject({
      available: true,
      policy: { mode: 'direct', maxAttempts: 7 },
      offer: { tool: { name: 'schema' }, revision: 'revision of Boot.schema' },
    })
  })

  test('finds a name ambiguous that two agents have, in whatever order they came or are configured', () => {
    for (const agents of permutations(catalogue.agents)) {
      for (const names of permutations(['Boot', 'Insight', 'Other'])) {
        const anyOrder = configOf(Object.fromEntries(names.map((name) => [name, {}])))
        const query = () => resolveTool({ name: 'search' }, catalogueOf(...agents), anyOrder)
        expect(query).toThrow(
          expect.objectContaining({
            code: 'INVALID_PARAMS',
            reason: 'the name search is ambiguous: 2 agents have it',
            details: { path: 'name', expected: 'one of Boot.search, Insight.search, or _meta.targetAgent' },
          }),
        )
      }
    }
  })

  test('says of a name that no agent has, while some were not reached yet, that their tools are not known', () => {
    const some = catalogueOf(seenAgent('Boot', ['schema']))
    const nextStep = expect.stringMatching(/GET \/agents: some were not reached yet/)
    const query = () => resolveTool({ name: 'research' }, some, config)
    expect(query).toThrow(expect.objectContaining({ code: 'METHOD_NOT_FOUND', details: { nextStep } }))
    const known = () => resolveTool({ name: 'nothing' }, catalogue, config)
    expect(known).toThrow(expect.objectContaining({ code: 'METHOD_NOT_FOUND', details: {} }))
  })

  test('says what is not registered: the tool, the tool at that agent, or the agent', () => {
    expect(resolve('nothing', catalogue, config)).toEqual(['METHOD_NOT_FOUND', 'the tool nothing is not registered'])
    expect(resolve('Boot.research', catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool Boot.research is not registered at Boot',
    ])
    expect(resolve({ name: 'research', targetAgent: 'Boot' }, catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool research is not registered at Boot',
    ])
    expect(resolve({ name: 'schema', targetAgent: 'Nobody' }, catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the target agent Nobody is not registered',
    ])
    expect(resolve('Nobody.schema', catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool Nobody.schema is not registered',
    ])
  })

  test('knows no agent but the configured ones', () => {
    const stale = catalogueOf(seenAgent('Gone', ['old']), ...catalogue.agents)
    expect(resolve('old', stale, config)).toEqual(['METHOD_NOT_FOUND', 'the tool old is not registered'])
  })

  test('does not let targetAgent be overruled by the agent in the name', () => {
    expect(resolve({ name: 'Insight.search', targetAgent: 'Boot' }, catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool Insight.search is not registered at Boot',
    ])
  })
})

describe('resolveTool: agents that are down', () => {
  const config = configOf({ Boot: { tools: { schema: {} } }, Insight: {} })

  test('keeps the tools of an agent that was seen, and says why it is not there', () => {
    const down = seenAgent('Boot', ['schema'], { available: false, reason: 'connection refused' })
    expect(resolveTool({ name: 'schema' }, catalogueOf(down), config)).toMatchObject({
      available: false,
      reason: 'connection refused',
      offer: { tool: { name: 'schema' } },
    })
  })

  const neverSeen: [string, Catalogue][] = [
    ['before the first discovery', EMPTY_CATALOGUE],
    ['down since the start', catalogueOf(seenAgent('Boot', [], { available: false, reason: 'refused' }))],
  ]

  test.each(neverSeen)(
    'knows the tools that the configuration names of an agent that was never seen: %s',
    (_, seen) => {
      const tool = resolveTool({ name: 'schema' }, seen, config)
      expect(tool).toMatchObject({ agent: { name: 'Boot' }, available: false })
      expect(tool).not.toHaveProperty('offer')
      expect(tool.reason).toBeDefined()
    },
  )

  test.each(neverSeen)('does not know whether an agent that was never seen has another tool: %s', (_, seen) => {
    const answer = ['AGENT_UNAVAILABLE', 'the agent Boot was not reached yet, so its tools are not known']
    expect(resolve('Boot.other', seen, config)).toEqual(answer)
    expect(resolve({ name: 'other', targetAgent: 'Boot' }, seen, config)).toEqual(answer)
    expect(resolve('other', seen, config)).toEqual(['METHOD_NOT_FOUND', 'the tool other is not registered'])
  })

  test('forgets the names of the configuration once the agent was seen without them', () => {
    const seen = catalogueOf(seenAgent('Boot', ['another']))
    expect(resolve('schema', seen, config)).toEqual(['METHOD_NOT_FOUND', 'the tool schema is not registered'])
  })

  test('finds a name ambiguous that one agent has and another, never seen, is configured with', () => {
    const seen = catalogueOf(seenAgent('Insight', ['schema']))
    expect(resolve('schema', seen, config)).toEqual([
      'INVALID_PARAMS',
      'the name schema is ambiguous: 2 agents have it',
    ])
  })
})

describe('resolveTool: refused tools', () => {
  const refused = [{ kind: 'tool' as const, name: 'bad', reason: 'the schema is not valid: type must be an array' }]

  test('says why, and refuses that tool alone', () => {
    const catalogue = catalogueOf(seenAgent('Boot', ['good'], { refused }))
    const config = configOf({ Boot: {} })
    expect(resolve('good', catalogue, config)).toBe('Boot good')
    for (const name of ['bad', 'Boot.bad']) {
      expect(resolve(name, catalogue, config)).toEqual([
        'CONTRACT_BROKEN',
        'the tool bad of Boot is refused: the schema is not valid: type must be an array',
      ])
    }
  })

  test('called an agent that keeps its contract a breaker of it, while its tool was not checked yet', () => {
    const pending = [{ kind: 'tool' as const, name: 'new', reason: 'it is not checked yet', pending: true }]
    const catalogue = catalogueOf(seenAgent('Boot', ['good'], { refused: pending }))
    expect(resolve('new', catalogue, configOf({ Boot: {} }))).toEqual([
      'AGENT_UNAVAILABLE',
      'the tool new of Boot is refused: it is not checked yet',
    ])
  })

  test('does not pass the name on to another agent', () => {
    const catalogue = catalogueOf(seenAgent('Boot', [], { refused }), seenAgent('Insight', ['bad']))
    const config = configOf({ Boot: {}, Insight: {} })
    expect(resolve('bad', catalogue, config)).toEqual(['INVALID_PARAMS', 'the name bad is ambiguous: 2 agents have it'])
    expect(resolve('Insight.bad', catalogue, config)).toBe('Insight bad')
  })
})

describe('resolveTool: names with dots', () => {
  const config = configOf({ github: {}, Other: {} })

  test('belong to the tool where what stands before the dot is no agent', () => {
    expect(resolve('a.b.c', catalogueOf(seenAgent('Other', ['a.b.c'])), config)).toBe('Other a.b.c')
    expect(resolve('Other.a.b.c', catalogueOf(seenAgent('Other', ['a.b.c'])), config)).toBe('Other a.b.c')
    expect(resolve('.b', catalogueOf(seenAgent('Other', ['.b'])), config)).toBe('Other .b')
  })

  test("name an agent's own tool that begins with the agent's name", () => {
    const catalogue = catalogueOf(seenAgent('github', ['github.search']))
    for (const name of ['github.search', 'github.github.search']) {
      expect(resolve(name, catalogue, config)).toBe('github github.search')
    }
  })

  test('mean the shorter tool where an agent has both', () => {
    const catalogue = catalogueOf(seenAgent('github', ['search', 'github.search']))
    expect(resolve('github.search', catalogue, config)).toBe('github search')
    expect(resolve('github.github.search', catalogue, config)).toBe('github github.search')
  })

  test("never mean another agent's tool, whether their agent has it, lacks it or is down", () => {
    const other = seenAgent('Other', ['github.search'])
    expect(resolve('github.search', catalogueOf(other, seenAgent('github', ['search'])), config)).toBe('github search')
    expect(resolve('github.search', catalogueOf(other, seenAgent('github', [])), config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool github.search is not registered at github',
    ])
    expect(resolve('github.search', catalogueOf(other), config)).toMatchObject(['AGENT_UNAVAILABLE', expect.anything()])
    expect(resolve('Other.github.search', catalogueOf(other), config)).toBe('Other github.search')
    expect(resolve({ name: 'github.search', targetAgent: 'Other' }, catalogueOf(other), config)).toBe(
      'Other github.search',
    )
  })
})

describe('resolveTool: the tools of a public path', () => {
  const paths = {
    '/hr': { name: 'hr', url: 'http://hr', manifest: 'm' },
    '/it': { name: 'it', url: 'http://it', manifest: 'm' },
  }
  const config = configOf({ Boot: {} }, paths)
  const catalogue = catalogueOf(
    seenAgent('Boot', ['search', 'schema']),
    seenAgent('hr', ['search', 'leave']),
    seenAgent('it', ['order']),
  )

  test('are found by their bare names, by requests of that path alone', () => {
    expect(resolve({ name: 'search', deployment: 'hr' }, catalogue, config)).toBe('hr search')
    expect(resolve({ name: 'search' }, catalogue, config)).toBe('Boot search')
    expect(resolve({ name: 'leave' }, catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool leave is not registered',
    ])
    expect(resolve({ name: 'order', deployment: 'hr' }, catalogue, config)).toEqual([
      'METHOD_NOT_FOUND',
      'the tool order is not registered at hr',
    ])
    expect(resolve({ name: 'schema', deployment: 'hr' }, catalogue, config)).toMatchObject([
      'METHOD_NOT_FOUND',
      expect.anything(),
    ])
  })

  test('have no qualified names, whoever asks for them', () => {
    for (const query of [
      { name: 'hr.search', deployment: 'hr' },
      { name: 'Boot.search', deployment: 'hr' },
      { name: 'hr.leave' },
      { name: 'leave', targetAgent: 'hr' },
    ]) {
      expect(resolve(query, catalogue, config)).toMatchObject(['METHOD_NOT_FOUND', expect.anything()])
    }
  })

  test('are not known while the path’s service has listed none', () => {
    expect(resolve({ name: 'leave', deployment: 'hr' }, catalogueOf(), config)).toMatchObject([
      'AGENT_UNAVAILABLE',
      expect.anything(),
    ])
  })
})
