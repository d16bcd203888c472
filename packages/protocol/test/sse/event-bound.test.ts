import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { readSse, SseFormatError } from '../../src/index.js'
import { bytesOf, cutEvery, readAll } from './byte-stream.js'

// What is held counts, not the garbage that lies about until the collector chooses to come.
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const MAX_BYTES = 1000
const frame = (data: string) => bytesOf(`data: ${data}\n\n`)

function expectTooLarge(error: unknown): void {
  expect(error).toBeInstanceOf(SseFormatError)
  expect(error).toMatchObject({ message: `one event is larger than ${MAX_BYTES} bytes` })
}

describe('readSse: the bound of an event', () => {
  test.each([1, 7, 500, 5000])('takes an event as long as the bound, in chunks of %i bytes', async (size) => {
    const overhead = 'data: \n\n'.length
    for (const data of ['x'.repeat(MAX_BYTES - overhead), '한'.repeat((MAX_BYTES - overhead) / 4)]) {
      const { items, error } = await readAll(cutEvery(frame(data), size), MAX_BYTES)
      expect(error).toBeUndefined()
      expect(items).toEqual([{ kind: 'event', event: 'message', data }])
    }
  })

  test.each([1, 7, 500, 5000])('refuses data of one byte more than the bound, in chunks of %i bytes', async (size) => {
    const texts = ['x'.repeat(MAX_BYTES + 1), `${'한'.repeat(333)}xx`, `${'x\ndata: '.repeat(500)}xx`]
    for (const data of texts) {
      const { items, error } = await readAll(cutEvery(frame(data), size), MAX_BYTES)
      expect(items).toEqual([])
      expectTooLarge(error)
    }
  })

  test('counts each event by itself, however many come in a chunk and wherever the chunks are cut', async () => {
    const data = 'x'.repeat(300)
    const bytes = bytesOf(...Array.from({ length: 50 }, () => `data: ${data}\n\n: a comment\n\n`))
    for (const size of [1, 299, 450, 900, 999, 5000, bytes.length]) {
      const { items, error } = await readAll(cutEvery(bytes, size), MAX_BYTES)
      expect(error).toBeUndefined()
      expect(items).toHaveLength(100)
    }
  })

  test('gives what stands before the event that is too large, also in one chunk', async () => {
    const large = 'x'.repeat(MAX_BYTES + 1)
    for (const chunk of [`data: A\n\ndata: ${large}\n\ndata: B\n\n`, `data: A\n\ndata: ${large}`]) {
      const { items, error } = await readAll([bytesOf(chunk)], MAX_BYTES)
      expect(items).toEqual([{ kind: 'event', event: 'message', data: 'A' }])
      expectTooLarge(error)
    }
  })

  test.each([
    ['one line without an end', () => bytesOf('data: ', 'x'.repeat(1000))],
    ['data lines without an event', () => bytesOf('data: xxxxxxxxxx\n'.repeat(50))],
    ['empty data lines', () => bytesOf('data\n'.repeat(200))],
    ['a comment without an end', () => bytesOf(':', 'x'.repeat(1000))],
    ['a field without an end', () => bytesOf('x'.repeat(1000))],
  ])('stops reading soon when a stream sends %s for ever', async (_, nextChunk) => {
    let sentBytes = 0
    async function* endless() {
      for (;;) {
        const chunk = nextChunk()
        sentBytes += chunk.byteLength
        yield chunk
      }
    }
    let error: unknown
    try {
      for await (const item of readSse(endless(), MAX_BYTES)) expect(item).toBeUndefined()
    } catch (thrown) {
      error = thrown
    }
    expectTooLarge(error)
    expect(sentBytes).toBeLessThan(8 * MAX_BYTES)
  })

  test('holds no more than the bound while a hundred megabytes pass', async () => {
    const chunk = bytesOf(`data: ${'x'.repeat(60_000)}\n\n`)
    async function* source() {
      for (let sent = 0; sent < 1700; sent++) yield chunk
    }
    let count = 0
    let peakBytes = 0
    const heldBytes = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heldBytes()
    for await (const item of readSse(source(), 100_000)) {
      if (item.kind === 'event') count++
      // Few collections: in a process that has run many tests before, each takes seconds.
      if (count % 850 === 0) peakBytes = Math.max(peakBytes, heldBytes() - before)
    }
    expect(count).toBe(1700)
    expect(peakBytes).toBeLessThan(5_000_000)
  })
})
