import { describe, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL } from '@synchub/auth'
import { listPrompts, listResources, listResourceTemplates } from '../../src/index.js'
import { catalogueOf, configOf, permutations } from '../catalogue/agents.js'
import { holder, offering, promptOf, resourceOf, templateOf } from './offers.js'

const config = configOf({ Boot: {}, Insight: {} })
const boot = offering('Boot', {
  resources: [resourceOf('note://b'), resourceOf('shared://1')],
  resourceTemplates: [templateOf('schema://{domain}'), templateOf('shared://{id}')],
  prompts: [promptOf('review'), promptOf('greet')],
})
const insight = offering('Insight', {
  available: false,
  resources: [resourceOf('shared://1'), resourceOf('note://a')],
  resourceTemplates: [templateOf('shared://{id}')],
  prompts: [promptOf('greet'), promptOf('Boot.odd')],
  refused: [{ kind: 'resource', name: 'note://b', reason: 'its name must be a string' }],
})
const catalogue = catalogueOf(boot, insight)

describe('the lists of resources, templates and prompts', () => {
  test('are in order and tell the agent, whatever order agents came in; what several have has its agent before it', () => {
    for (const agents of permutations(catalogue.agents)) {
      const scene = [catalogueOf(...agents), config, LOCAL_PRINCIPAL] as const
      expect(listResources(...scene)).toEqual([
        // Refused at Insight: the URI must not be another's because of that.
        { ...resourceOf('note://b'), uri: 'agent://Boot/note://b', _meta: { agent: 'Boot', available: true } },
        { ...resourceOf('shared://1'), uri: 'agent://Boot/shared://1', _meta: { agent: 'Boot', available: true } },
        {
          ...resourceOf('shared://1'),
          uri: 'agent://Insight/shared://1',
          _meta: { agent: 'Insight', available: false },
        },
        { ...resourceOf('note://a'), _meta: { agent: 'Insight', available: false } },
      ])
      expect(listResourceTemplates(...scene).map(({ uriTemplate }) => uriTemplate)).toEqual([
        'agent://Boot/shared://{id}',
        'agent://Insight/shared://{id}',
        'schema://{domain}',
      ])
      expect(listPrompts(...scene).map(({ name }) => name)).toEqual([
        'Boot.greet',
        'Insight.Boot.odd',
        'Insight.greet',
        'review',
      ])
    }
  })

  test('show only what the principal may use, each kind by its own consent, under the names that all see', () => {
    const names = (...scopes: string[]) => {
      const scene = [catalogue, config, holder(...scopes)] as const
      return [
        listResources(...scene).map(({ uri }) => uri),
        listResourceTemplates(...scene).map(({ uriTemplate }) => uriTemplate),
        listPrompts(...scene).map(({ name }) => name),
      ]
    }
    expect(names('tools:call', 'traces:read:tenant')).toEqual([[], [], []])
    expect(names('resources:read:Insight')).toEqual([
      ['agent://Insight/shared://1', 'note://a'],
      ['agent://Insight/shared://{id}'],
      [],
    ])
    expect(names('prompts:get:Boot')).toEqual([[], [], ['Boot.greet', 'review']])
  })

  test('leave out agents that the configuration does not know', () => {
    expect(listResources(catalogue, configOf({ Boot: {} }), LOCAL_PRINCIPAL).map(({ uri }) => uri)).toEqual([
      'note://b',
      'shared://1',
    ])
  })
})
