import { describe, expect, test } from '@jest/globals'
import { isRunAccess, maskRunAccess, mayCallTool, mintRunAccess, type Principal, readRunAccess } from '../src/index.js'

const callId = '019b0000-0000-7000-8000-000000000001'

describe('a run access token', () => {
  test('is another one each time, and is known again by its digest alone', () => {
    const { accessToken, digest } = mintRunAccess(callId, 2)
    expect(mintRunAccess(callId, 2).accessToken).not.toBe(accessToken)
    const shown = readRunAccess(`bearer ${accessToken}`)
    expect(shown).toEqual({ callId, attempt: 2, digest })
    expect(shown !== undefined && isRunAccess(shown, digest)).toBe(true)
    expect(digest).not.toContain(accessToken.slice(-43))
  })

  test('with one character changed is another one', () => {
    const { accessToken, digest } = mintRunAccess(callId, 1)
    const end = accessToken.endsWith('A') ? 'B' : 'A'
    for (const other of [accessToken.replace('.1.', '.2.'), accessToken.slice(0, -1) + end]) {
      const shown = readRunAccess(`Bearer ${other}`)
      expect(shown !== undefined && isRunAccess(shown, digest)).toBe(false)
    }
  })

  test('is never known where nothing was kept', () => {
    const shown = readRunAccess(`Bearer ${mintRunAccess(callId, 1).accessToken}`)
    for (const kept of [undefined, '', 'x']) expect(shown !== undefined && isRunAccess(shown, kept)).toBe(false)
  })

  test('is told from API keys and from nothing', () => {
    for (const header of [undefined, '', 'Bearer shk_1', 'Basic shr_', 'shr_1']) {
      expect(readRunAccess(header)).toBeUndefined()
    }
  })

  test.each(['Bearer shr_', 'Bearer shr_x', `Bearer shr_${callId}.0.${'a'.repeat(43)}`, `Bearer shr_${callId}.1.`])(
    'that is cut or changed is refused, not taken for no credential: %s',
    (header) => {
      expect(() => readRunAccess(header)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }))
    },
  )

  test('is taken out of any text', () => {
    const { accessToken } = mintRunAccess(callId, 12)
    expect(maskRunAccess(`{"a":"x${accessToken}","b":"Bearer ${accessToken}."}`, '-')).toBe(
      '{"a":"x-","b":"Bearer -."}',
    )
  })

  test('was told but for its last characters when the text around it had been cut before it was looked through', () => {
    const { accessToken } = mintRunAccess(callId, 1)
    for (const end of [-1, -20, -42])
      expect(maskRunAccess(`last words: ${accessToken.slice(0, end)}`, '-')).toBe('last words: -')
  })
})

describe('mayCallTool for an agent that works on a call', () => {
  const agentWith = (scopes: readonly string[], ...within: readonly string[][]): Principal => ({
    tenant: 'acme',
    subject: 'alice',
    agent: 'Verse',
    scopes,
    run: { callId, attempt: 1, traceId: 't', within },
  })

  test.each([
    ['its caller may call all, and it may delegate to the agent', ['tools:call'], [['Boot']], true],
    ['it may delegate to this very tool', ['tools:call'], [['Boot.make']], true],
    ['it may delegate to another tool of the agent', ['tools:call'], [['Boot.drop']], false],
    ['it may delegate to a tool of this name elsewhere', ['tools:call'], [['Insight.make', 'make']], false],
    ['its caller may not call it', ['tools:call:Insight'], [['Boot']], false],
    ['it may delegate to nothing', ['tools:call'], [[]], false],
    ['an agent above it may not delegate to it', ['tools:call'], [['Verse'], ['Boot']], false],
    ['all above it may delegate to it', ['tools:call:make'], [['Boot', 'Verse'], ['Boot.make']], true],
  ])('where %s', (_, scopes, within, may) => {
    expect(mayCallTool(agentWith(scopes, ...within), 'Boot', 'make')).toBe(may)
  })
})
