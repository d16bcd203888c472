import { describe, expect, test } from '@jest/globals'
import { createCallId, isCallId } from '../../src/index.js'

describe('callId', () => {
  test('is a UUIDv7 of its own, that says when it was made', () => {
    const nowMs = Date.UTC(2026, 6, 28)
    const ids = Array.from({ length: 1000 }, () => createCallId(nowMs))
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(nowMs)
    }
  })

  test('sorts by the time it was made', () => {
    const ids = [1, 2, 1_000_000, 1_800_000_000_000].map(createCallId)
    expect(ids.toSorted()).toEqual(ids)
  })

  test('is told from other ids', () => {
    const id = createCallId(1)
    const others = ['', 'x', id.slice(1), `${id}0`, ` ${id}`, `${id}\n`, crypto.randomUUID(), 7, null, undefined, [id]]
    expect(isCallId(id)).toBe(true)
    for (const other of others) expect([other, isCallId(other)]).toEqual([other, false])
  })
})
