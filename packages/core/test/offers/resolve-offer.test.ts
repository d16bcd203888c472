import { describe, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL, type Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import {
  listPrompts,
  listResources,
  type OfferScene,
  type ResolvedOffer,
  resolvePrompt,
  resolveResource,
  resolveTemplate,
} from '../../src/index.js'
import { catalogueOf, configOf } from '../catalogue/agents.js'
import { holder, offering, promptOf, resourceOf, templateOf } from './offers.js'

const config = configOf({ Boot: {}, Insight: {}, Eta: {} })
const catalogue = catalogueOf(
  offering('Boot', {
    resources: [resourceOf('note://b'), resourceOf('shared://1')],
    resourceTemplates: [templateOf('shared://{id}'), templateOf('only://{id}')],
    prompts: [promptOf('greet'), promptOf('review')],
  }),
  offering('Insight', {
    resources: [resourceOf('shared://1'), resourceOf('only://listed')],
    resourceTemplates: [templateOf('shared://{id}')],
    prompts: [promptOf('greet'), promptOf('Boot.odd')],
  }),
)

const sceneOf = (principal: Principal = LOCAL_PRINCIPAL): OfferScene => ({ catalogue, config, principal })
const shown = ({ agent, name }: ResolvedOffer) => `${agent.name} ${name}`

function failure(work: () => unknown): Pick<HubError, 'code' | 'details'> {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof HubError) return { code: thrown.code, details: thrown.details }
    throw thrown
  }
  throw new Error('it did not fail')
}

describe('a URI', () => {
  test.each([
    ['that one agent lists', 'note://b', 'Boot note://b'],
    ['that a template of one agent makes', 'only://7', 'Boot only://7'],
    [
      'that one lists and a template of another makes is of the one that lists it',
      'only://listed',
      'Insight only://listed',
    ],
    ['with its agent before it', 'agent://Insight/shared://1', 'Insight shared://1'],
    ['with its agent before it, made by a template', 'agent://Insight/shared://9', 'Insight shared://9'],
  ])('%s', (_, uri, found) => {
    expect(shown(resolveResource(uri, sceneOf()))).toBe(found)
  })

  test('that several agents have is ambiguous, listed or made, and the error says how to choose', () => {
    for (const uri of ['shared://1', 'shared://2']) {
      expect(failure(() => resolveResource(uri, sceneOf()))).toMatchObject({
        code: 'INVALID_PARAMS',
        details: { path: 'uri', expected: `one of agent://Boot/${uri}, agent://Insight/${uri}` },
      })
    }
    // Who may use one of them is told of that one alone.
    expect(failure(() => resolveResource('shared://1', sceneOf(holder('resources:read:Boot')))).details.expected).toBe(
      'one of agent://Boot/shared://1',
    )
  })

  test('of nobody is not found, nor is one of an agent that the principal may not read', () => {
    const reader = sceneOf(holder('resources:read:Insight'))
    for (const uri of [
      'note://b',
      'note://none',
      'only://7',
      'agent://Nobody/note://b',
      'agent://Insight/shared://9?x=/y',
      '',
    ]) {
      expect(failure(() => resolveResource(uri, reader)).code).toBe('NOT_FOUND')
    }
  })

  test('is refused before it is looked up where no scope opens it, and the scope is named', () => {
    const stranger = sceneOf(holder('tools:call', 'prompts:get'))
    for (const uri of ['note://b', 'note://none']) {
      expect(failure(() => resolveResource(uri, stranger))).toMatchObject({
        code: 'FORBIDDEN',
        details: { scope: 'resources:read' },
      })
    }
    for (const uri of ['agent://Boot/note://b', 'agent://Boot/note://none']) {
      expect(failure(() => resolveResource(uri, sceneOf(holder('resources:read:Insight'))))).toMatchObject({
        code: 'FORBIDDEN',
        details: { scope: 'resources:read:Boot' },
      })
    }
  })

  test('that is listed can be read by the very name that it is listed under', () => {
    for (const principal of [LOCAL_PRINCIPAL, holder('resources:read:Boot')]) {
      for (const { uri, _meta: meta } of listResources(catalogue, config, principal)) {
        expect(resolveResource(uri, sceneOf(principal)).agent.name).toBe(meta.agent)
      }
    }
  })
})

describe('a template', () => {
  test('is found by its text, with its agent before it where several have it', () => {
    expect(shown(resolveTemplate('only://{id}', sceneOf()))).toBe('Boot only://{id}')
    expect(shown(resolveTemplate('agent://Insight/shared://{id}', sceneOf()))).toBe('Insight shared://{id}')
    expect(failure(() => resolveTemplate('shared://{id}', sceneOf())).code).toBe('INVALID_PARAMS')
    expect(failure(() => resolveTemplate('only://7', sceneOf())).code).toBe('NOT_FOUND')
  })
})

describe('the name of a prompt', () => {
  test('stands for the prompt of one agent, as it is listed', () => {
    expect(shown(resolvePrompt('review', sceneOf()))).toBe('Boot review')
    for (const principal of [LOCAL_PRINCIPAL, holder('prompts:get:Insight')]) {
      for (const { name, _meta: meta } of listPrompts(catalogue, config, principal)) {
        expect(resolvePrompt(name, sceneOf(principal)).agent.name).toBe(meta.agent)
      }
    }
    // Boot has no prompt "odd", so the dot can only be Insight's own.
    expect(shown(resolvePrompt('Boot.odd', sceneOf()))).toBe('Insight Boot.odd')
  })

  test('is ambiguous, not found or forbidden as a URI is', () => {
    expect(failure(() => resolvePrompt('greet', sceneOf()))).toMatchObject({
      code: 'INVALID_PARAMS',
      details: { path: 'name', expected: 'one of Boot.greet, Insight.greet' },
    })
    expect(failure(() => resolvePrompt('none', sceneOf())).code).toBe('NOT_FOUND')
    expect(failure(() => resolvePrompt('review', sceneOf(holder('prompts:get:Insight')))).code).toBe('NOT_FOUND')
    expect(failure(() => resolvePrompt('Boot.review', sceneOf(holder('prompts:get:Insight'))))).toMatchObject({
      code: 'FORBIDDEN',
      details: { scope: 'prompts:get:Boot' },
    })
    expect(failure(() => resolvePrompt('review', sceneOf(holder('resources:read')))).code).toBe('FORBIDDEN')
  })
})
