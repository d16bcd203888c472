import { describe, expect, test } from '@jest/globals'
import { maskCarried } from '../../src/run/carried-headers.js'

describe('what a caller sent for the agent alone', () => {
  test('is taken out of every text that is recorded, and of nothing else', () => {
    const data = { content: [{ type: 'text', text: 'E-4711 has E-4711 days' }], total: 100, isError: false }
    expect(maskCarried(data, { 'employee-no': 'E-4711' })).toEqual({
      content: [{ type: 'text', text: '[redacted] has [redacted] days' }],
      total: 100,
      isError: false,
    })
  })

  test('leaves numbers whole that look like it', () => {
    expect(maskCarried({ total: 12_345, text: '"12345"' }, { a: '12345' })).toEqual({
      total: 12_345,
      text: '"[redacted]"',
    })
  })

  test('is found as bytes and as the characters that they are', () => {
    const bytes = Buffer.from('김사원02', 'utf8').toString('latin1')
    expect(maskCarried({ text: '김사원02 님' }, { a: bytes })).toEqual({ text: '[redacted] 님' })
    expect(maskCarried({ text: bytes }, { a: bytes })).toEqual({ text: '[redacted]' })
  })

  test('costs nothing where there is none, or none that could be told from other text', () => {
    const data = { text: 'room 12' }
    expect(maskCarried(data, {})).toBe(data)
    expect(maskCarried(data, { a: '12' })).toBe(data)
  })
})

test('a carried value that an agent told back within JSON or a URL is not recorded in the clear', () => {
  const value = 'E"47\\11/é'
  const carried = { 'employee-no': Buffer.from(value, 'utf8').toString('latin1') }
  const told = [value, carried['employee-no']].flatMap((each) => [
    each,
    JSON.stringify({ each }),
    encodeURIComponent(each),
  ])
  const kept = JSON.stringify(maskCarried({ content: told }, carried))
  for (const part of ['47', '11']) expect(kept).not.toContain(part)
  expect(kept).toContain('[redacted]')
})
