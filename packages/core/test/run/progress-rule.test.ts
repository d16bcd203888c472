import { describe, expect, test } from '@jest/globals'
import { cutProgress, readProgress } from '../../src/run/progress-rule.js'

describe('readProgress', () => {
  test.each([0, 0.5, 40, 1e300, Number.MIN_VALUE])('takes %p, a finite number from 0', (progress) => {
    expect(readProgress({ progress })).toEqual({ ok: true, progress, data: { progress } })
  })

  test('takes total and message where they are there, zero and the empty text included', () => {
    expect(readProgress({ progress: 100, total: 100, message: 'done' })).toEqual({
      ok: true,
      progress: 100,
      total: 100,
      data: { progress: 100, total: 100, message: 'done' },
    })
    expect(readProgress({ progress: 0, total: 0, message: '' })).toEqual({
      ok: true,
      progress: 0,
      total: 0,
      data: { progress: 0, total: 0, message: '' },
    })
  })

  test.each<[unknown, unknown, unknown, string]>([
    [Number.NaN, undefined, undefined, 'progress is not a finite number from 0'],
    [Number.POSITIVE_INFINITY, undefined, undefined, 'progress is not a finite number from 0'],
    [-1, undefined, undefined, 'progress is not a finite number from 0'],
    ['50', undefined, undefined, 'progress is not a finite number from 0'],
    [null, undefined, undefined, 'progress is not a finite number from 0'],
    [undefined, 100, 'x', 'progress is not a finite number from 0'],
    [[5], undefined, undefined, 'progress is not a finite number from 0'],
    [1, '100', undefined, 'total is not a finite number from 0'],
    [1, null, undefined, 'total is not a finite number from 0'],
    [1, Number.NaN, undefined, 'total is not a finite number from 0'],
    [0, -1, undefined, 'total is not a finite number from 0'],
    [101, 100, undefined, 'progress is larger than total'],
    [1, 100, 7, 'message is not a text'],
    [1, 100, null, 'message is not a text'],
  ])('refuses progress %p of total %p with message %p, and says why', (progress, total, message, reason) => {
    expect(readProgress({ progress, total, message })).toEqual({ ok: false, reason })
  })

  test('keeps a message whole up to 4096 characters and cuts a longer one between two characters', () => {
    const messageOf = (message: string) => cutProgress({ progress: 1, message }).message
    expect(messageOf('x'.repeat(4096))).toBe('x'.repeat(4096))
    expect(messageOf('x'.repeat(4097))).toBe('x'.repeat(4096))
    expect(messageOf(`${'x'.repeat(4095)}😀😀`)).toBe('x'.repeat(4095))
    expect(messageOf(`${'x'.repeat(4094)}😀😀`)).toBe(`${'x'.repeat(4094)}😀`)
    expect(messageOf('한\0\u2028\n')).toBe('한\0\u2028\n')
  })
})
