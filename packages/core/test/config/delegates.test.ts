import { describe, expect, test } from '@jest/globals'
import { parseConfig } from '../../src/index.js'

const url = 'http://127.0.0.1:1/'
const parse = (agents: Readonly<Record<string, object>>, more: object = {}) =>
  parseConfig({ text: JSON.stringify({ agents, ...more }), file: 'test.json', environment: {} })

describe('delegates of an agent', () => {
  test('are agents and tools of agents; without them it delegates nothing', () => {
    const { agents } = parse({
      Verse: { url, delegates: ['Boot', 'Insight.deep.research'] },
      Boot: { url },
      Insight: { url },
    })
    expect(agents.get('Verse')?.delegates).toEqual(['Boot', 'Insight.deep.research'])
    expect(agents.get('Boot')).not.toHaveProperty('delegates')
  })

  test.each([
    ['an agent that is not there', ['Boot', 'Bot'], 'agents.Verse.delegates.1 is "Bot"; it must be an agent'],
    ['a bare name of a tool', ['make'], 'agents.Verse.delegates.0 is "make"; it must be an agent'],
    ['a tool of no agent', ['Bot.make'], 'agents.Verse.delegates.0 is "Bot.make"'],
    ['an agent with a dot and nothing behind it', ['Boot.'], 'agents.Verse.delegates.0 is "Boot."'],
    ['a name that no tool can have', ['Boot.a b'], 'agents.Verse.delegates.0 is "Boot.a b"'],
    ['every agent at once', ['*'], 'agents.Verse.delegates.0 is "*"'],
    ['nothing', [], 'agents.Verse.delegates must'],
    ['the same twice', ['Boot', 'Boot'], 'agents.Verse.delegates must'],
    ['no list', 'Boot', 'agents.Verse.delegates must be an array'],
    ['what is no text', [1], 'agents.Verse.delegates.0 must be a string'],
  ])('are refused: %s', (_, delegates, message) => {
    expect(() => parse({ Verse: { url, delegates }, Boot: { url } })).toThrow(message)
  })

  test('are refused where the connector carries no access token', () => {
    const service = { connector: 'tool-service', url, manifest: 'tools.json', delegates: ['Boot'] }
    expect(() => parse({ Verse: service, Boot: { url } })).toThrow(
      'agents.Verse.delegates is no setting of the connector "tool-service"',
    )
  })

  test.each([
    ['itself', { A: ['A'] }, 'agents.A.delegates.0 is "A", whose calls lead back to A'],
    [
      'itself by another',
      { A: ['C', 'B'], B: ['A.work'], C: undefined },
      'agents.A.delegates.1 is "B", whose calls lead back to A',
    ],
    ['a circle that it stands in by a long way', { A: ['B'], B: ['C'], C: ['A'] }, 'agents.A.delegates.0 is "B"'],
  ])('are refused where a queued call could wait for a place that it holds itself: %s', (_, graph, message) => {
    const agents = Object.entries(graph).map(([name, delegates]) => [name, { url, ...(delegates && { delegates }) }])
    expect(() => parse(Object.fromEntries(agents))).toThrow(message)
  })

  test('may lead back where all calls are direct, since those hold no place in a queue', () => {
    const direct = { url, mode: 'direct' }
    expect(parse({ A: { ...direct, delegates: ['B', 'A'] }, B: { ...direct, delegates: ['A'] } }).agents.size).toBe(2)
    const mixed = { ...direct, delegates: ['A'], tools: { slow: { mode: 'queued' } } }
    expect(() => parse({ A: mixed })).toThrow('calls lead back to A')
  })

  test('may reach an agent by two ways', () => {
    expect(parse({ A: { url, delegates: ['B', 'C'] }, B: { url, delegates: ['C'] }, C: { url } }).agents.size).toBe(3)
  })
})

describe('limits.maxCallDepth', () => {
  test('is 8, and what the configuration says within its bounds', () => {
    expect(parse({}).limits.maxCallDepth).toBe(8)
    expect(parse({}, { limits: { maxCallDepth: 2 } }).limits.maxCallDepth).toBe(2)
    expect(() => parse({}, { limits: { maxCallDepth: 0 } })).toThrow('limits.maxCallDepth must be >= 1')
  })
})
