import { describe, expect, test } from '@jest/globals'
import { readQuantities } from '../../src/round-table/quantity.js'

const valuesOf = (text: string) => readQuantities(text).quantities.map(({ kind, value }) => [kind, value])

describe('readQuantities', () => {
  test.each(['10 s', '10s', '10 seconds', '10-second', '10,000 ms', '10초', 'ten seconds', '10 sec'])(
    'reads "%s" as ten seconds',
    (text) => {
      expect(valuesOf(`It lasts ${text}`)).toEqual([['duration', 10_000]])
    },
  )

  test.each([
    ['4 MiB', 'size', 4_194_304],
    ['4 MB', 'size', 4_000_000],
    ['64 KiB', 'size', 65_536],
    ['300 bytes', 'size', 300],
    ['3.5 %', 'share', 3.5],
    ['20%', 'share', 20],
    ['2 minutes', 'duration', 120_000],
    ['3시간', 'duration', 10_800_000],
    ['2026-07-28', 'date', '2026-07-28'],
    ['1.2.3', 'version', '1.2.3'],
  ])('reads %s', (text, kind, value) => {
    expect(valuesOf(`It is ${text}.`)).toEqual([[kind, value]])
  })

  test('reads a plain number with the words that say what it counts', () => {
    expect(readQuantities('Redis listens on port 6379 with 3 retries.').quantities).toEqual([
      { kind: 'number', value: 6379, raw: '6379', about: ['before:port'] },
      { kind: 'number', value: 3, raw: '3', about: ['after:retri', 'before:port'] },
    ])
    expect(readQuantities('The error is -32602').quantities).toMatchObject([{ value: -32602, about: ['before:error'] }])
  })

  test.each(['S0.4 says so', 'see section 5', 'trace v2', 'tb_3', 'rep-9912', 'http://127.0.0.1:4000', '#12'])(
    'takes nothing from the name in "%s"',
    (text) => {
      expect(valuesOf(text)).toEqual([])
    },
  )

  test('leaves the rest of the sentence', () => {
    expect(readQuantities('A lease lasts 10 s by default').rest.replaceAll(/\s+/g, ' ')).toBe(
      'A lease lasts by default',
    )
  })
})
