import { describe, expect, test } from '@jest/globals'
import { readSse, SseFormatError } from '../../src/index.js'
import { bytesOf, cutEvery, deliver, readAll } from './byte-stream.js'

/** What a stream holds, read whole and byte by byte, which must be the same. */
async function itemsOf(bytes: Uint8Array) {
  const whole = await readAll([bytes])
  expect(await readAll(cutEvery(bytes, 1))).toEqual(whole)
  expect(whole.error).toBeUndefined()
  return whole.items
}

/** A stream that goes silent after its first chunk. */
async function* stall(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
  await new Promise(() => undefined)
}

const event = (data: string, name = 'message') => ({ kind: 'event', event: name, data })

describe('readSse', () => {
  test('reads events, comments and retry in their order', async () => {
    const bytes = bytesOf(': hello\nretry: 1500\n\nid: 1\nevent: progress\ndata: {}\n\n:\n\ndata: x\n\n')
    expect(await itemsOf(bytes)).toEqual([
      { kind: 'comment' },
      { kind: 'retry', delayMs: 1500 },
      { kind: 'event', id: '1', event: 'progress', data: '{}' },
      { kind: 'comment' },
      event('x'),
    ])
  })

  test.each([
    ['LF', 'data: A\ndata: B\n\ndata: C\n\n'],
    ['CRLF', 'data: A\r\ndata: B\r\n\r\ndata: C\r\n\r\n'],
    ['CR', 'data: A\rdata: B\r\rdata: C\r\r'],
    ['a mixture', 'data: A\rdata: B\r\n\ndata: C\n\r'],
  ])('takes lines that end in %s', async (_, text) => {
    expect(await itemsOf(bytesOf(text))).toEqual([event('A\nB'), event('C')])
  })

  test('takes CRLF split over chunks for one line break', async () => {
    for (const texts of [
      ['data: A\r', '\ndata: B\r\n\r', '\n'],
      ['data: A\r', '', '\ndata: B\r', '', '', '\n\r\n'],
    ]) {
      expect(await readAll(texts.map((text) => bytesOf(text)))).toEqual({ items: [event('A\nB')] })
    }
  })

  test('gives the last event of a stream that ends in a bare CR', async () => {
    expect(await itemsOf(bytesOf('event: complete\rdata: {}\r\r'))).toEqual([event('{}', 'complete')])
    expect(await itemsOf(bytesOf('event: complete\r\ndata: {}\r\n\r'))).toEqual([event('{}', 'complete')])
  })

  test.each(['data: A\n\ndata: B', 'data: A\n\ndata: B\n', 'data: A\n\ndata: B\r', 'data: A\n\nevent: complete\n'])(
    'drops the event that %j ends in the middle of',
    async (text) => {
      expect(await itemsOf(bytesOf(text))).toEqual([event('A')])
    },
  )

  test('drops a character that the stream ends in the middle of', async () => {
    expect(await itemsOf(bytesOf('data: A\n\ndata: ', [0xed, 0x95]))).toEqual([event('A')])
  })

  test('skips a byte order mark at the start and keeps one elsewhere', async () => {
    expect(await itemsOf(bytesOf([0xef, 0xbb, 0xbf], 'data: A\n\ndata: \ufeffB\n\n'))).toEqual([
      event('A'),
      event('\ufeffB'),
    ])
  })

  test('splits on CR and LF only, and keeps NUL and U+2028', async () => {
    const data = 'a\u2028b\u2029c\u0085d\0e\u000bf'
    expect(await itemsOf(bytesOf(`data: ${data}\n\n`))).toEqual([event(data)])
  })

  test('takes one blank from the front of a value and no more', async () => {
    expect(await itemsOf(bytesOf('data:a\ndata: b\ndata:  c \n\n'))).toEqual([event('a\nb\n c ')])
  })

  test('gives no event for a block without data, and an empty one for empty data', async () => {
    expect(await itemsOf(bytesOf('event: x\nid: 1\n\ndata\n\ndata:\n\n'))).toEqual([event(''), event('')])
  })

  test('skips fields that it does not know and a retry that is no count of milliseconds', async () => {
    const retries = ['x', '-1', '1.5', '', '9'.repeat(400)].map((value) => `retry: ${value}\n`).join('')
    expect(await itemsOf(bytesOf(`${retries}foo: bar\nnonsense\nDATA: no\ndata: A\n\n`))).toEqual([event('A')])
  })

  test('holds an id with NUL for none', async () => {
    expect(await itemsOf(bytesOf('id: a\0b\ndata: A\n\n'))).toEqual([event('A')])
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe4, 0x20]],
    ['a byte that is none of UTF-8', [0xff]],
  ])('stops at %s, which is not UTF-8', async (_, broken) => {
    const { items, error } = await readAll([bytesOf('data: A\n\n'), bytesOf('data: ', broken, '\n\n')])
    expect(items).toEqual([event('A')])
    expect(error).toBeInstanceOf(SseFormatError)
    expect(error).toMatchObject({ message: 'the stream is not UTF-8' })
  })

  test.each(['\n\n', '\r\n\r\n', '\r\r', '\r\n\r'])(
    'gives an event as soon as its last byte is there, with %j',
    async (end) => {
      const reader = readSse(stall(bytesOf(`data: A${end}`)), 100)
      expect(await reader.next()).toEqual({ done: false, value: event('A') })
    },
  )

  test('closes its source when the reader stops early', async () => {
    let isClosed = false
    async function* source() {
      try {
        yield* deliver([bytesOf('data: A\n\ndata: B\n\n'), bytesOf('data: C\n\n')])
      } finally {
        isClosed = true
      }
    }
    for await (const item of readSse(source(), 100)) {
      expect(item).toEqual(event('A'))
      break
    }
    expect(isClosed).toBe(true)
  })

  test('passes on the failure of its source', async () => {
    const failure = new Error('socket hang up')
    async function* source() {
      yield* deliver([bytesOf('data: A\n\n')])
      throw failure
    }
    const reader = readSse(source(), 100)
    expect(await reader.next()).toMatchObject({ value: event('A') })
    await expect(reader.next()).rejects.toBe(failure)
  })
})
