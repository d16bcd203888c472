import { describe, expect, test } from '@jest/globals'
import { CompositeCursor } from '../../src/streams/composite-cursor.js'

const traceOf = (traceId: string, owner = 'alice') => ({ tenant: 'acme', owner, traceId })
const [ONE, TWO, THREE] = [traceOf('one'), traceOf('two'), traceOf('three')] as const

/** The ids that a text stands for, of these traces. */
function idsOf(text: string | null, traces = [ONE, TWO, THREE]): (string | null)[] {
  const cursor = new CompositeCursor(traces, text)
  return traces.map((_, at) => cursor.idOf(at))
}

describe('a composite cursor', () => {
  test('holds the place in each trace, whatever order they are named in', () => {
    const cursor = new CompositeCursor([ONE, TWO, THREE], null)
    expect(idsOf(null)).toEqual([null, null, null])
    cursor.move(0, '7-123')
    const text = cursor.move(2, '1-4294967295') ?? ''
    expect(idsOf(text)).toEqual(['7-123', null, '1-4294967295'])
    expect(idsOf(text, [THREE, TWO, ONE])).toEqual(['1-4294967295', null, '7-123'])
  })

  test('says nothing of another owner or of a trace that it does not know', () => {
    const text = new CompositeCursor([ONE], null).move(0, '7-123') ?? ''
    expect(idsOf(text, [traceOf('one', 'bob'), TWO])).toEqual([null, null])
  })

  test('is none while no trace has a place', () => {
    const cursor = new CompositeCursor([ONE, TWO], null)
    cursor.move(0, '7-123')
    expect(cursor.move(0, null)).toBeUndefined()
  })

  test.each(['', 'nonsense', '7-123', 'a.b', 'AAAAAAAA7-123.', 'AAAAAAAA7-123.AAAA', `AAAAAAAA${'1'.repeat(5000)}-1`])(
    'gives each trace a place that no log has for a text that is none: %s',
    (text) => {
      expect(idsOf(text)).toEqual(['nonsense', 'nonsense', 'nonsense'])
      // Nor does it pass that on as a place.
      expect(new CompositeCursor([ONE, TWO], text).move(0, null)).toBeUndefined()
    },
  )

  test('has a bounded length at the longest ids', () => {
    const traces = Array.from({ length: 50 }, (_, at) => traceOf(`${'t'.repeat(126)}${at}`))
    const cursor = new CompositeCursor(traces, null)
    let text: string | undefined
    for (const at of traces.keys()) text = cursor.move(at, '999999999999999-4294967295')
    expect(text?.length).toBe(1749)
    expect(idsOf(text ?? null, traces).every((id) => id === '999999999999999-4294967295')).toBe(true)
  })
})
