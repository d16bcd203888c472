import { describe, expect, test } from '@jest/globals'
import { type AgentConfig, guardLists, guardReason } from '../../src/index.js'
import { configOf } from '../catalogue/agents.js'
import { promptOf, resourceOf } from './offers.js'

const SECRET = 'open-"sesame"-1234'

function agentWithSecret(): AgentConfig {
  const agent = configOf({ Rogue: { secret: SECRET } }).agents.get('Rogue')
  if (agent === undefined) throw new Error('there is no such agent')
  return agent
}

describe('what an agent lists', () => {
  test('does not hold its secret, which catalogues kept in Redis and showed to whoever lists', () => {
    const lists = {
      resources: [{ ...resourceOf('a://1'), description: `Bearer ${SECRET}` }],
      prompts: [promptOf(SECRET)],
      refused: [{ kind: 'tool' as const, reason: `it says ${SECRET}` }],
    }
    const guarded = guardLists(lists, agentWithSecret())
    expect(guarded.resources).toEqual([{ ...resourceOf('a://1'), description: 'Bearer [redacted]' }])
    expect(JSON.stringify(guarded)).not.toContain('sesame')
  })

  test('has refused names masked before they are cut at 128 characters, which left half of a secret in them', () => {
    const nameOf = (name: string) =>
      guardLists({ refused: [{ kind: 'tool', name, reason: 'broken' }] }, agentWithSecret()).refused[0]?.name
    expect(nameOf(`${'x'.repeat(120)}${SECRET}`)).toBe(`${'x'.repeat(120)}[redacte`)
    expect(nameOf('x'.repeat(128))).toBe('x'.repeat(128))
    expect(nameOf(`${'x'.repeat(127)}😀`)).toBe('x'.repeat(127))
  })

  test('cannot be had for a reason that does not hold it either', () => {
    expect(guardReason(`no: ${SECRET}`, agentWithSecret())).toBe('no: [redacted]')
  })
})
