import { describe, expect, test } from '@jest/globals'
import { formValidator, withoutPatterns } from '../../src/pages/agent/form-validator.js'
import { paceOf } from '../../src/pages/agents/agent-pace.js'

const SCHEMA = {
  type: 'object',
  required: ['question'],
  properties: {
    question: { type: 'string', minLength: 3 },
    list: { type: 'array', items: { $ref: '#/$defs/name' } },
  },
  $defs: { name: { type: 'string' } },
} as const

describe('the form', () => {
  test.each([
    [{}, '.question'],
    [{ question: 'a' }, '.question'],
    [{ question: 'why', list: ['a', 1] }, '.list.1'],
  ])('says of %j that %s is wrong', (data, property) => {
    const { errors } = formValidator.validateFormData(data, SCHEMA as never)
    expect(errors.map((error) => error.property)).toEqual([property])
  })

  test('finds nothing wrong with what is right, and knows the definitions of the whole schema', () => {
    expect(formValidator.validateFormData({ question: 'why', list: ['a'] }, SCHEMA as never).errors).toEqual([])
    const name = { $ref: '#/$defs/name' }
    expect(formValidator.isValid(name, 'a', SCHEMA as never)).toBe(true)
    expect(formValidator.isValid(name, 1, SCHEMA as never)).toBe(false)
  })

  test('leaves patterns, which could hold the page up, to the hub', () => {
    const schema = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { x: {} },
    }
    expect(withoutPatterns(schema)).toEqual({ type: 'object', properties: { pattern: { type: 'string' } } })
  })
})

describe('the pace of an agent', () => {
  test('counts what began, runs and failed, and measures what ended', () => {
    const nowMs = 1_800_000_000_000
    const trace = (agoMs: number, tookMs: number, state: string) => ({
      state,
      createdAt: new Date(nowMs - agoMs).toISOString(),
      updatedAt: new Date(nowMs - agoMs + tookMs).toISOString(),
    })
    const traces = [
      trace(1000, 0, 'running'),
      trace(60_000, 500, 'completed'),
      trace(200_000, 100, 'completed'),
      trace(9_000_000, 900, 'failed'),
    ]
    const pace = paceOf(traces as never, nowMs)
    expect(pace).toMatchObject({
      running: 1,
      failed: 1,
      measured: 4,
      durationsMs: [900, 100, 500],
      medianMs: 500,
      slowMs: 900,
    })
    expect(pace.perStretch.reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(pace.perStretch.at(-1)).toBe(2)
  })
})
