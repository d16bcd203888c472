import { describe, expect, test } from '@jest/globals'
import { UriPattern } from '../src/resources/uri.js'

const REPORTS = new UriPattern('report://syncinsight/{reportId}')

describe('UriPattern', () => {
  test('takes the values out of a URI and puts them back', () => {
    const pattern = new UriPattern('x://agent/{first}/of/{second}')
    const values = { first: '보고서 1', second: "a:b?c#d%e'" }
    expect(pattern.match(pattern.expand(values))).toEqual(values)
    expect(pattern.variables).toEqual(['first', 'second'])
    expect(new UriPattern('x://agent/all').match('x://agent/all')).toEqual({})
  })

  test.each([
    ['another scheme', 'file://syncinsight/rep-1'],
    ['another name', 'report://syncboot/rep-1'],
    ['a name of other case', 'report://SyncInsight/rep-1'],
    ['credentials', 'report://me@syncinsight/rep-1'],
    ['no value', 'report://syncinsight/'],
    ['one segment too many', 'report://syncinsight/a/b'],
    ['one segment too few', 'report://syncinsight'],
    ['a climb', 'report://syncinsight/..'],
    ['a climb and back', 'report://syncinsight/../syncinsight/rep-1'],
    ['an encoded climb', 'report://syncinsight/%2E%2E'],
    ['a climb in small letters', 'report://syncinsight/%2e%2e'],
    ['itself', 'report://syncinsight/.'],
    ['an encoded slash', 'report://syncinsight/a%2Fb'],
    ['an encoded backslash', 'report://syncinsight/a%5Cb'],
    ['a raw backslash', 'report://syncinsight/..\\b'],
    ['a NUL', 'report://syncinsight/a%00b'],
    ['a line break', 'report://syncinsight/a%0Ab'],
    ['a value encoded twice in vain', 'report://syncinsight/%61'],
    ['half an escape', 'report://syncinsight/a%2'],
    ['bytes that are no UTF-8', 'report://syncinsight/%FF'],
    ['an overlong slash', 'report://syncinsight/%C0%AF'],
    ['a query', 'report://syncinsight/a?b=1'],
    ['a fragment', 'report://syncinsight/a#b'],
    ['a blank', 'report://syncinsight/a b'],
    ['a lone surrogate', 'report://syncinsight/\ud800'],
    ['a text without end', `report://syncinsight/${'a'.repeat(3000)}`],
    ['nothing', ''],
  ])('does not match %s', (_, uri) => {
    expect(REPORTS.match(uri)).toBeUndefined()
  })

  test.each(['', '.', '..', 'a/b', 'a\\b', 'a\0b', '\ud800'])('makes no URI of %j', (reportId) => {
    expect(() => REPORTS.expand({ reportId })).toThrow('cannot have')
  })

  test.each(['report', '/a/{b}', 'x://a/{b}c', 'x://a/{b}/{b}', 'x://a/{1}', 'x://a//b', 'x://{a b}'])(
    'refuses %j as a pattern',
    (text) => {
      expect(() => new UriPattern(text)).toThrow(JSON.stringify(text))
    },
  )
})
