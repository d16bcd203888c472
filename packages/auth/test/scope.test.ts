import { describe, expect, test } from '@jest/globals'
import {
  isScope,
  LOCAL_PRINCIPAL,
  mayCallTool,
  mayCancel,
  mayGetPrompts,
  mayRead,
  mayReadQueues,
  mayReadResources,
  type Principal,
  SCOPES,
} from '../src/index.js'

const holder = (...scopes: string[]): Principal => ({ tenant: 'acme', subject: 'alice', agent: 'SyncVerse', scopes })

describe('isScope', () => {
  test('knows the scopes that are documented, and no other', () => {
    expect(Object.keys(SCOPES)).toEqual([
      'tools:call',
      'tools:call:<name>',
      'resources:read',
      'resources:read:<agent>',
      'prompts:get',
      'prompts:get:<agent>',
      'traces:read:tenant',
      'calls:cancel:tenant',
      'calls:resolve:tenant',
      'queues:read',
    ])
    for (const scope of Object.keys(SCOPES)) {
      expect(isScope(scope.replace('<name>', 'Sync.boot/x-1').replace('<agent>', 'Sync-boot_1'))).toBe(true)
    }
    const others = [
      '',
      'tools',
      'tools:call:',
      'tools:call:a b',
      'tools:call:*',
      'tools:list',
      'traces:read',
      '*',
      'resources:read:',
      'prompts:get:a.b',
    ]
    for (const scope of [...others, 'tools:call\n', ' tools:call', `tools:call:${'x'.repeat(129)}`]) {
      expect([scope, isScope(scope)]).toEqual([scope, false])
    }
  })
})

describe('mayCallTool', () => {
  test.each([
    ['every tool', ['tools:call'], true],
    ['this tool', ['tools:call:search'], true],
    ['every tool of its agent', ['tools:call:Insight'], true],
    ['another tool', ['tools:call:research'], false],
    ['another agent', ['tools:call:Boot'], false],
    ['a tool whose name begins alike', ['tools:call:searc', 'tools:call:search2'], false],
    ['the traces of the tenant', ['traces:read:tenant', 'calls:cancel:tenant'], false],
    ['nothing', [], false],
  ])('for the scope of %s', (_, scopes, may) => {
    expect(mayCallTool(holder(...scopes), 'Insight', 'search')).toBe(may)
  })
})

describe('mayReadResources and mayGetPrompts', () => {
  test.each([
    ['every resource', ['resources:read'], [true, false]],
    ['the resources of this agent', ['resources:read:Insight'], [true, false]],
    ['the resources of another agent', ['resources:read:Boot'], [false, false]],
    ['every prompt', ['prompts:get'], [false, true]],
    ['the prompts of this agent', ['prompts:get:Insight'], [false, true]],
    ['the prompts of another agent', ['prompts:get:Boot'], [false, false]],
    ['every tool', ['tools:call', 'tools:call:Insight'], [false, false]],
  ])('for the scope of %s', (_, scopes, may) => {
    const principal = holder(...scopes)
    expect([mayReadResources(principal, 'Insight'), mayGetPrompts(principal, 'Insight')]).toEqual(may)
  })
})

describe('mayReadResources and mayGetPrompts of an agent at work', () => {
  test('need the whole agent in every list that bounds it', () => {
    const bounded = (...within: string[][]) => ({
      ...holder('resources:read', 'prompts:get'),
      run: { callId: 'c', attempt: 1, traceId: 't', within },
    })
    const rights = (...within: string[][]) => [
      mayReadResources(bounded(...within), 'Insight'),
      mayGetPrompts(bounded(...within), 'Insight'),
    ]
    expect(rights(['Insight', 'Boot'], ['Insight'])).toEqual([true, true])
    expect(rights(['Insight'], ['Boot'])).toEqual([false, false])
    expect(rights(['Insight.search'])).toEqual([false, false])
  })
})

describe('mayReadQueues', () => {
  test('asks for its scope, and lets no agent at work look', () => {
    const operator = holder('queues:read')
    const run = { callId: 'c', attempt: 1, traceId: 't', within: [] }
    expect(mayReadQueues(operator)).toBe(true)
    expect(mayReadQueues(holder('tools:call', 'traces:read:tenant', 'calls:cancel:tenant'))).toBe(false)
    expect(mayReadQueues({ ...operator, run })).toBe(false)
  })
})

describe('mayRead and mayCancel', () => {
  test('let an owner at its own', () => {
    expect([mayRead(holder(), 'alice'), mayCancel(holder(), 'alice')]).toEqual([true, true])
  })

  test("let nobody at another's without the scope, and each scope grants its own right only", () => {
    const rights = (...scopes: string[]) => [mayRead(holder(...scopes), 'bob'), mayCancel(holder(...scopes), 'bob')]
    expect(rights()).toEqual([false, false])
    expect(rights('tools:call')).toEqual([false, false])
    expect(rights('traces:read:tenant')).toEqual([true, false])
    expect(rights('calls:cancel:tenant')).toEqual([false, true])
  })

  test('let the local principal do everything', () => {
    expect(mayCallTool(LOCAL_PRINCIPAL, 'A', 'b')).toBe(true)
    expect([mayReadResources(LOCAL_PRINCIPAL, 'A'), mayGetPrompts(LOCAL_PRINCIPAL, 'A')]).toEqual([true, true])
    expect([mayRead(LOCAL_PRINCIPAL, 'bob'), mayCancel(LOCAL_PRINCIPAL, 'bob')]).toEqual([true, true])
    expect(mayReadQueues(LOCAL_PRINCIPAL)).toBe(true)
    expect(LOCAL_PRINCIPAL.scopes.filter((scope) => !isScope(scope))).toEqual([])
  })
})
