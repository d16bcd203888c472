import { describe, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL, type Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import { authorizeCaller, authorizeTool } from '../../src/admission/authorize.js'
import type { ResolvedTool } from '../../src/catalogue/resolve-tool.js'
import { readToolName } from '../../src/catalogue/tool-name.js'
import { type CallRequest, resolveTool } from '../../src/index.js'
import { catalogueOf, configOf, seenAgent } from '../catalogue/agents.js'

const VERSE: Principal = { tenant: 'acme', subject: 'alice', agent: 'SyncVerse', scopes: [] }

function requestOf(own: Partial<CallRequest>): CallRequest {
  return { principal: VERSE, name: 'search', arguments: {}, traceId: 't', ...own }
}

describe('authorizeCaller', () => {
  test('calls the caller by the agent of its key, also where it says so itself', () => {
    expect(authorizeCaller(requestOf({}))).toBe('SyncVerse')
    expect(authorizeCaller(requestOf({ callerAgent: 'SyncVerse' }))).toBe('SyncVerse')
  })

  test('refuses a caller that calls itself another agent', () => {
    for (const callerAgent of ['SyncBoot', 'syncverse', '*', '']) {
      expect(() => authorizeCaller(requestOf({ callerAgent }))).toThrow(
        expect.objectContaining({ code: 'FORBIDDEN', details: { nextStep: expect.stringContaining('callerAgent') } }),
      )
    }
  })

  test('lets the local principal call itself anything', () => {
    const principal = LOCAL_PRINCIPAL
    expect(authorizeCaller(requestOf({ principal, callerAgent: 'SyncBoot' }))).toBe('SyncBoot')
    expect(authorizeCaller(requestOf({ principal }))).toBe('anonymous')
  })
})

describe('authorizeTool', () => {
  const config = configOf({ Boot: {}, Insight: {} })
  const catalogue = catalogueOf(seenAgent('Boot', ['search', 'Boot.own']), seenAgent('Insight', ['research']))

  /** What a principal of these scopes is told before anything is known of the tool. */
  function answerTo(query: { name: string; targetAgent?: string }, ...scopes: string[]): unknown {
    const request = requestOf({ ...query, principal: { ...VERSE, scopes } })
    let tool: ResolvedTool | undefined
    try {
      tool = resolveTool(request, catalogue, config)
    } catch (thrown) {
      if (!(thrown instanceof HubError)) throw thrown
    }
    try {
      authorizeTool(request, readToolName(request, config), tool)
      return 'may'
    } catch (thrown) {
      return thrown instanceof HubError ? [thrown.code, thrown.reason, thrown.details] : thrown
    }
  }

  test.each([
    [{ name: 'search' }, 'tools:call'],
    [{ name: 'search' }, 'tools:call:search'],
    [{ name: 'search' }, 'tools:call:Boot'],
    [{ name: 'Boot.search' }, 'tools:call:search'],
    [{ name: 'Boot.search' }, 'tools:call:Boot'],
    [{ name: 'search', targetAgent: 'Boot' }, 'tools:call:Boot'],
    [{ name: 'Boot.own' }, 'tools:call:Boot.own'],
  ])('lets %j be called by the scope %s', (query, scope) => {
    expect(answerTo(query, scope)).toBe('may')
  })

  test('lets the holder of an agent learn that the agent has no such tool', () => {
    expect(answerTo({ name: 'Boot.nothing' }, 'tools:call:Boot')).toBe('may')
    expect(answerTo({ name: 'nothing', targetAgent: 'Boot' }, 'tools:call:Boot')).toBe('may')
  })

  test('tells an agent at work that mistyped a name to look at name and delegates, and of no scope that it cannot be given', () => {
    const run = { callId: 'c', attempt: 1, traceId: 't', within: [['Boot']] }
    const request = requestOf({ name: 'serch', principal: { ...VERSE, scopes: ['tools:call'], run } })
    const nextStep = expect.stringMatching(/there is a tool serch, that "delegates" of SyncVerse/)
    expect(() => authorizeTool(request, { toolName: 'serch' }, undefined)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN', details: { nextStep } }),
    )
  })

  test('refuses tools that exist and tools that do not with the same words', () => {
    const forms = (tool: string) => [
      { name: tool },
      { name: `Boot.${tool}` },
      { name: tool, targetAgent: 'Boot' },
      { name: `Boot.${tool}`, targetAgent: 'Boot' },
    ]
    const nothing = forms('nothing').map((query) => answerTo(query, 'tools:call:Insight'))
    for (const tool of ['search', 'own']) {
      const answers = forms(tool).map((query) => answerTo(query, 'tools:call:Insight'))
      expect(JSON.parse(JSON.stringify(answers).replaceAll(tool, 'nothing'))).toEqual(nothing)
    }
    expect(nothing[1]).toEqual([
      'FORBIDDEN',
      'the API key has no scope for the tool Boot.nothing: it needs tools:call:nothing',
      { scope: 'tools:call:nothing' },
    ])
  })
})
