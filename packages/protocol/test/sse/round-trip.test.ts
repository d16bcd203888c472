import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { encodeSseComment, encodeSseEvent, encodeSseRetry, type SseItem } from '../../src/index.js'
import { bytesOf, cutAnywhere, cutEvery, readAll } from './byte-stream.js'

const jsonText = fc
  .oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud83d', '\u2028\u2029\u0085', '\ufeff', '\0', 'a\r\nb'),
  )
  .map((value) => JSON.stringify(value))
const line = fc
  .string({ unit: fc.constantFrom('a', 'b', '-', '0', ':', '.', ' ', '한'), minLength: 1 })
  .map((text) => `x${text}`)

/** An item and how our encoder writes it. */
const written: fc.Arbitrary<readonly [string, SseItem]> = fc.oneof(
  fc
    .record({ event: line, data: jsonText, id: fc.option(line, { nil: undefined }) })
    .map(({ event, data, id }): readonly [string, SseItem] => {
      const parts = { event, data, ...(id === undefined ? {} : { id }) }
      return [encodeSseEvent(parts), { kind: 'event', ...parts }]
    }),
  line.map((text): readonly [string, SseItem] => [encodeSseComment(text), { kind: 'comment' }]),
  fc.nat().map((delayMs): readonly [string, SseItem] => [encodeSseRetry(delayMs), { kind: 'retry', delayMs }]),
)

describe('SSE encoder and reader', () => {
  test('carry any JSON text unchanged, wherever the bytes are cut', async () => {
    const stream = fc.array(written, { maxLength: 6 }).chain((parts) => {
      const bytes = bytesOf(parts.map(([text]) => text).join(''))
      return fc.tuple(cutAnywhere(bytes), fc.constant(parts.map(([, item]) => item)))
    })
    await fc.assert(
      fc.asyncProperty(stream, async ([chunks, items]) => {
        expect(await readAll(chunks)).toEqual({ items })
      }),
      { numRuns: 300 },
    )
  })

  test('give the same at every single cut, by LF, CR and CRLF', async () => {
    const event = encodeSseEvent({
      id: '한-1',
      event: 'progress',
      data: JSON.stringify({ text: '한😀\u2028\ud83d"\n' }),
    })
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      const bytes = bytesOf((event + encodeSseComment('x') + event).replaceAll('\n', lineEnd))
      const whole = await readAll([bytes])
      expect(whole.items).toHaveLength(3)
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(await readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
      }
      expect(await readAll(cutEvery(bytes, 1))).toEqual(whole)
    }
  })

  test('make of any text the same items, wherever its bytes are cut', async () => {
    const soup = fc
      .array(
        fc.constantFrom(
          'data: x',
          'data',
          'id: 1',
          'event: a',
          ': c',
          'retry: 1',
          '\n',
          '\r',
          '\r\n',
          '\n\n',
          '한',
          '\ufeff',
        ),
        {
          maxLength: 20,
        },
      )
      .map((parts) => bytesOf(parts.join('')))
    await fc.assert(
      fc.asyncProperty(
        soup.chain((bytes) => fc.tuple(fc.constant(bytes), cutAnywhere(bytes))),
        async ([bytes, chunks]) => {
          expect(await readAll(chunks)).toEqual(await readAll([bytes]))
        },
      ),
      { numRuns: 1000 },
    )
  })
})
