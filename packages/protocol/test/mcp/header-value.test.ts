import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeHeaderValue, encodeHeaderValue } from '../../src/index.js'

const whole = new TextDecoder('utf-8', { ignoreBOM: true })

describe('the value of a header', () => {
  test('holds every text, and only visible ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = encodeHeaderValue(text)
        expect(value).toMatch(/^[\t\x20-\x7e]*$/)
        // UTF-8 has no lone surrogates.
        expect(decodeHeaderValue(value)).toBe(whole.decode(new TextEncoder().encode(text)))
      }),
    )
  })

  test('keeps a byte order mark, which belongs to the text', () => {
    expect(decodeHeaderValue(encodeHeaderValue('\uFEFFa'))).toBe('\uFEFFa')
  })

  test.each([
    ['=?base64?YQ', '=?base64?YQ'],
    ['YQ==?=', 'YQ==?='],
    ['=?base64?YQ==?=', 'a'],
    ['=?base64?YQ?=', null],
    ['=?base64?Y Q==?=', null],
    ['=?base64?Y-_=?=', null],
    ['=?base64?/w==?=', null],
  ])('%s is read as %s', (value, expected) => {
    expect(decodeHeaderValue(value)).toBe(expected)
  })
})
