import { describe, expect, test } from '@jest/globals'
import { charsetOfPage, decodeText } from '../../src/sources/text-decoding.js'

describe('decodeText', () => {
  test('decodes UTF-8 with and without a byte order mark', () => {
    expect(decodeText(Buffer.from('안녕'))).toEqual({ outcome: 'text', text: '안녕' })
    expect(decodeText(Buffer.from('\uFEFF안녕'))).toEqual({ outcome: 'text', text: '안녕' })
  })

  test('decodes UTF-16 by its byte order mark', () => {
    expect(decodeText(Buffer.from('\uFEFF안녕', 'utf16le'))).toEqual({ outcome: 'text', text: '안녕' })
  })

  test('decodes Korean in EUC-KR when the page says so', () => {
    expect(decodeText(Buffer.from([0xb0, 0xa1, 0xb3, 0xaa]), 'euc-kr')).toEqual({ outcome: 'text', text: '가나' })
  })

  test.each([
    ['a binary file', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), undefined, 'a binary file'],
    ['bytes that are no UTF-8', Buffer.from([0xb0, 0xa1]), undefined, 'not text in utf-8'],
    ['an encoding that does not exist', Buffer.from('x'), 'x-none', 'in the unknown encoding x-none'],
  ])('refuses %s', (_name, bytes, charset, reason) => {
    expect(decodeText(bytes, charset)).toEqual({ outcome: 'not_text', reason })
  })
})

describe('charsetOfPage', () => {
  test('believes the header before the page', () => {
    const bytes = Buffer.from('<meta charset="euc-kr">')
    expect(charsetOfPage('text/html; charset="UTF-8"', bytes)).toBe('UTF-8')
    expect(charsetOfPage('text/html', bytes)).toBe('euc-kr')
    expect(charsetOfPage('text/html', Buffer.from('<p>x'))).toBeUndefined()
  })
})
