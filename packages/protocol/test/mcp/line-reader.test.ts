import { describe, expect, test } from '@jest/globals'
import { HubError, type LineItem, readLines } from '../../src/index.js'

async function read(chunks: readonly (Uint8Array | string)[], maxLineBytes = 100): Promise<LineItem[]> {
  const items: LineItem[] = []
  for await (const item of readLines(arrive(chunks), maxLineBytes)) items.push(item)
  return items
}

async function* arrive(chunks: readonly (Uint8Array | string)[]) {
  yield* chunks
}

const line = (text: string): LineItem => ({ kind: 'line', text })

describe('readLines', () => {
  test('puts lines together however they are cut, also within a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"한글 🎉"}\nnext')
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([line('{"a":"한글 🎉"}'), line('next')])
    }
  })

  test('leaves empty lines out, and takes text as well as bytes', async () => {
    expect(await read(['a\n\n \r\n', 'b\r\n'])).toEqual([line('a'), line('b\r')])
  })

  test('tells of a line that is too long or no UTF-8, and goes on after it', async () => {
    const items = await read(['x'.repeat(60), `${'y'.repeat(60)}\nshort\n`, Uint8Array.of(0xff, 0x0a), 'end'])
    expect(items).toEqual([
      { kind: 'broken', error: new HubError('PAYLOAD_TOO_LARGE', 'the line is longer than 100 bytes', { limit: 100 }) },
      line('short'),
      { kind: 'broken', error: new HubError('PARSE_ERROR', 'the line is not UTF-8') },
      line('end'),
    ])
  })
})
