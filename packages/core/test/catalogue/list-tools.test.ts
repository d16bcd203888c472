import { describe, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL } from '@synchub/auth'
import fc from 'fast-check'
import { listTools, resolveTool } from '../../src/index.js'
import { catalogueOf, configOf, permutations, seenAgent, toolOf } from './agents.js'

const names = (...args: Parameters<typeof listTools>) => listTools(...args).map(({ name }) => name)
const withScopes = (...scopes: string[]) => ({ ...LOCAL_PRINCIPAL, scopes })

describe('listTools', () => {
  const config = configOf({ Boot: { mode: 'direct' }, Insight: {} })
  const catalogue = catalogueOf(
    seenAgent('Insight', ['search', 'research'], { available: false, reason: 'down' }),
    seenAgent('Boot', ['search', 'schema']),
  )

  test('shows each tool as its agent described it, with agent, mode and whether it is there', () => {
    const listed = listTools(catalogue, config, LOCAL_PRINCIPAL)
    expect(listed).toContainEqual({ ...toolOf('schema'), _meta: { agent: 'Boot', mode: 'direct', available: true } })
    expect(listed).toContainEqual({
      ...toolOf('research'),
      _meta: { agent: 'Insight', mode: 'queued', available: false },
    })
  })

  test('lists a name that two agents have under both agents, ordered by name whatever the order they came in', () => {
    for (const agents of permutations(catalogue.agents)) {
      expect(names(catalogueOf(...agents), config, LOCAL_PRINCIPAL)).toEqual([
        'Boot.search',
        'Insight.search',
        'research',
        'schema',
      ])
    }
  })

  test('does not list what the principal may not call, and keeps the names of the rest', () => {
    expect(names(catalogue, config, withScopes('tools:call:search'))).toEqual(['Boot.search', 'Insight.search'])
    expect(names(catalogue, config, withScopes('tools:call:Boot'))).toEqual(['Boot.search', 'schema'])
    expect(names(catalogue, config, withScopes('traces:read:tenant'))).toEqual([])
  })

  test('lists no refused tool and no agent that is not configured', () => {
    const seen = catalogueOf(
      seenAgent('Boot', ['good'], { refused: [{ kind: 'tool', name: 'bad', reason: 'no schema' }] }),
      seenAgent('Gone', ['old']),
    )
    expect(names(seen, config, LOCAL_PRINCIPAL)).toEqual(['good'])
  })

  test('lists a name under its agent while another agent holds it: refused there, or never seen', () => {
    const refused = [{ kind: 'tool' as const, name: 'search', reason: 'no schema' }]
    const both = catalogueOf(seenAgent('Boot', ['search']), seenAgent('Insight', [], { refused }))
    expect(names(both, config, LOCAL_PRINCIPAL)).toEqual(['Boot.search'])
    const configured = configOf({ Boot: {}, Insight: { tools: { search: {} } } })
    expect(names(catalogueOf(seenAgent('Boot', ['search'])), configured, LOCAL_PRINCIPAL)).toEqual(['Boot.search'])
  })

  test('lists names that resolve to the very tool, whatever agents and tools are called', () => {
    const agentName = fc.constantFrom('a', 'b', 'c')
    const toolName = fc.constantFrom('x', 'y', 'a.x', 'b.x', 'a.a.x', 'b.a.x', 'a.', '.x', 'd.x')
    const agent = fc.record({
      name: agentName,
      tools: fc.uniqueArray(toolName, { maxLength: 5 }),
      refused: fc.uniqueArray(toolName, { maxLength: 1 }),
      configured: fc.uniqueArray(toolName, { maxLength: 2 }),
      isSeen: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(agent, { maxLength: 3, selector: ({ name }) => name }), (agents) => {
        const settings = agents.map(({ name, configured }) => {
          return [name, { tools: Object.fromEntries(configured.map((tool) => [tool, {}])) }]
        })
        const seen = agents
          .filter(({ isSeen }) => isSeen)
          .map(({ name, tools, refused }) => {
            const offered = tools.filter((tool) => !refused.includes(tool))
            return seenAgent(name, offered, {
              refused: refused.map((tool) => ({ kind: 'tool', name: tool, reason: 'bad' })),
            })
          })
        const anyConfig = configOf(Object.fromEntries(settings))
        const listed = listTools(catalogueOf(...seen), anyConfig, LOCAL_PRINCIPAL)
        expect(listed).toHaveLength(seen.reduce((count, { tools }) => count + tools.length, 0))
        for (const { name, description, _meta } of listed) {
          const found = resolveTool({ name }, catalogueOf(...seen), anyConfig)
          expect([found.agent.name, found.offer?.tool.description]).toEqual([_meta.agent, description])
        }
      }),
      { numRuns: 500 },
    )
  })
})
