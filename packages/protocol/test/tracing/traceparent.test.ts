import { describe, expect, test } from '@jest/globals'
import { toW3cTraceId, traceIdOfTraceparent, traceparentOf } from '../../src/index.js'

const HEX = '4bf92f3577b34da6a3ce929d0e0e4736'

describe('a traceparent', () => {
  test.each([
    [`00-${HEX}-00f067aa0ba902b7-01`, HEX],
    [`01-${HEX}-00f067aa0ba902b7-01-more`, HEX],
    [`ff-${HEX}-00f067aa0ba902b7-01`, undefined],
    [`00-${HEX}-0000000000000000-01`, undefined],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    [`00-${HEX.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
    ['nonsense', undefined],
    [7, undefined],
  ])('%s names the trace %s', (value, traceId) => {
    expect(traceIdOfTraceparent(value)).toBe(traceId)
  })

  test('is written for names that W3C knows, and for those that the hub makes up', () => {
    expect(toW3cTraceId(HEX)).toBe(HEX)
    expect(toW3cTraceId('trace-0190f0a2-7c1e-7000-8000-000000000001')).toBe('0190f0a27c1e70008000000000000001')
    expect(toW3cTraceId('trace-sv-20260915-0012')).toBeUndefined()
    expect(toW3cTraceId('0'.repeat(32))).toBeUndefined()
    expect(traceparentOf(HEX, '0190f0a2-7c1e-7000-8000-000000000001')).toBe(`00-${HEX}-8000000000000001-01`)
  })
})
