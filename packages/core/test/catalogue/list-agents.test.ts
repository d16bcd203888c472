import { describe, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL } from '@synchub/auth'
import { EMPTY_CATALOGUE, listAgents } from '../../src/index.js'
import { catalogueOf, configOf, permutations, seenAgent } from './agents.js'

const withScopes = (...scopes: string[]) => ({ ...LOCAL_PRINCIPAL, scopes })
const names = (...args: Parameters<typeof listAgents>) => listAgents(...args).map(({ name }) => name)

const nothing = { resources: [], resourceTemplates: [], prompts: [] }

describe('listAgents', () => {
  const config = configOf({
    Insight: { trust: 'external', tools: { search: { mode: 'direct' } } },
    Boot: { mode: 'direct' },
    Late: { tools: { later: {} } },
  })
  const refused = [{ kind: 'tool' as const, name: 'broken', reason: 'its schema is none' }]
  const catalogue = catalogueOf(
    seenAgent('Insight', ['search', 'research'], { available: false, reason: 'down', refused }),
    seenAgent('Boot', ['search', 'schema']),
  )

  test('shows each agent with its tools by the names to call them by, whatever order they came in', () => {
    for (const agents of permutations(catalogue.agents)) {
      expect(listAgents(catalogueOf(...agents), config, LOCAL_PRINCIPAL)).toEqual([
        {
          name: 'Boot',
          available: true,
          trust: 'internal',
          connector: 'native',
          tools: [
            { name: 'Boot.search', mode: 'direct' },
            { name: 'schema', mode: 'direct' },
          ],
          ...nothing,
          refused: [],
        },
        {
          name: 'Insight',
          available: false,
          reason: 'down',
          trust: 'external',
          connector: 'native',
          tools: [
            { name: 'Insight.search', mode: 'direct' },
            { name: 'research', mode: 'queued' },
          ],
          ...nothing,
          refused,
        },
        {
          name: 'Late',
          available: false,
          reason: 'it was not reached yet',
          trust: 'internal',
          connector: 'native',
          tools: [],
          ...nothing,
          refused: [],
        },
      ])
    }
  })

  test('shows only agents of which the principal may call a tool, and only those tools', () => {
    expect(listAgents(catalogue, config, withScopes('tools:call:schema'))).toMatchObject([
      { name: 'Boot', tools: [{ name: 'schema' }] },
    ])
    expect(listAgents(catalogue, config, withScopes('tools:call:broken'))).toMatchObject([
      { name: 'Insight', tools: [], refused },
    ])
    expect(listAgents(catalogue, config, withScopes('tools:call:research'))).toMatchObject([
      { name: 'Insight', refused: [] },
    ])
    expect(names(catalogue, config, withScopes('traces:read:tenant'))).toEqual([])
  })

  test('shows an agent that was never reached to those whose scope names it, or a tool that its configuration names', () => {
    expect(names(EMPTY_CATALOGUE, config, withScopes('tools:call:Boot'))).toEqual(['Boot'])
    expect(names(EMPTY_CATALOGUE, config, withScopes('tools:call:later'))).toEqual(['Late'])
    expect(names(EMPTY_CATALOGUE, config, withScopes('tools:call:schema'))).toEqual([])
  })
})
