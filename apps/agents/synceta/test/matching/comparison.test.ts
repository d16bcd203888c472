import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseTemplate } from '../../src/fixtures/template.js'
import { type ComparisonMode, compare } from '../../src/matching/comparison.js'

const differ = (expected: unknown, actual: unknown, mode: ComparisonMode = 'equals') =>
  compare(parseTemplate(expected, true), actual, mode, 'body').map(({ place, expected: one, actual: other }) =>
    [place, one, other].join('|'),
  )

describe('compare', () => {
  test('finds every JSON value equal to itself, and included in itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('{{'))
        for (const mode of ['equals', 'includes'] as const)
          expect(compare(JSON.parse(text), JSON.parse(text), mode, 'body')).toEqual([])
      }),
    )
  })

  test.each<[unknown, unknown, string[]]>([
    [1, '1', ['body|1|"1"']],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ['body /a/b/1|2|3']],
    [[1, 2], [1], ['body|[1,2]|[1]']],
    [{}, { more: 0 }, ['body /more|absent|0']],
    [{ a: 0 }, {}, ['body /a|0|absent']],
    [{ a: null }, {}, ['body /a|null|absent']],
    [{ a: '' }, { a: null }, ['body /a|""|null']],
    [[], {}, ['body|[]|{}']],
    [{ 'a/b~c': 1 }, { 'a/b~c': 2 }, ['body /a~1b~0c|1|2']],
    [{ toString: '{{absent}}' }, {}, []],
  ])('of %j and %j finds %j', (expected, actual, found) => {
    expect(differ(expected, actual)).toEqual(found)
  })

  test('lets objects have more members, at any depth, where it is asked what they include', () => {
    expect(differ({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }], d: 3 }, 'includes')).toEqual([])
    expect(differ({ a: [{ b: 1 }] }, { a: [{ b: 1 }, {}] }, 'includes')).toHaveLength(1)
    expect(differ({ a: '{{absent}}' }, { a: 1 }, 'includes')).toEqual(['body /a|{{absent}}|1'])
  })

  test.each([
    ['any', [0, '', false, null, [], {}], []],
    ['any-string', ['', 'x'], [0, null, undefined]],
    ['any-number', [0, -1.5], ['1', null]],
    ['any-integer', [0, -1], [1.5, '1']],
    ['any-boolean', [true, false], [0, 'true']],
    ['any-object', [{}, { a: 1 }], [[], null]],
    ['any-array', [[], [1]], [{}, 'x']],
    ['any-uuid', ['01a22979-0a6e-74ce-aaf2-85be09d8026d'], ['01a22979', 7]],
    ['any-instant', ['2026-11-29T22:42:08.180Z', '2026-11-29T22:42:08+09:00'], ['2026-11-29', '2026-99-99T00:00:00Z']],
    ['absent', [undefined], [null, 0]],
  ])('takes {{%s}} for every value of its kind and no other', (name, fitting, others) => {
    for (const value of fitting) expect(differ(`{{${name}}}`, value)).toEqual([])
    for (const value of others) expect(differ(`{{${name}}}`, value)).toHaveLength(1)
  })

  test('is bounded in what it tells, and survives what nests too deep to be shown', () => {
    expect(differ(Array(1_000).fill(0), Array(1_000).fill(1))).toHaveLength(20)
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(differ(1, deep)).toEqual(['body|1|a value that has no text'])
  })
})
