import { describe, expect, test } from '@jest/globals'
import { UriTemplate } from '../../src/offers/uri-template.js'
import { measureCpuMs } from '../cpu-time.js'

describe('a template of URIs', () => {
  test.each([
    ['report://syncinsight/{reportId}', 'report://syncinsight/rep-9912', true],
    ['report://syncinsight/{reportId}', 'report://syncinsight/a/b', false],
    ['report://syncinsight/{reportId}', 'report://syncinsight/', false],
    ['report://syncinsight/{reportId}', 'report://other/rep-1', false],
    ['test://template/{id}/data', 'test://template/7/data', true],
    ['test://template/{id}/data', 'test://template/7/data/more', false],
    ['test://template/{id}/data', 'test://template/%2F/data', true],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file:///{+path}', 'file:///', false],
    ['x://{a}{b}', 'x://ab', true],
    ['x://{a}{b}', 'x://a', false],
    ['x://{a}-{b}', 'x://1-2-3', true],
    ['search://q{?text,limit}', 'search://q?text=a&limit=3', true],
    ['search://q{?text,limit}', 'search://q', true],
    ['x://a{/path*}', 'x://a/b/c', true],
    ['note://one', 'note://one', true],
    ['note://one', 'note://on', false],
    ['note://{id}', 'note://안녕', true],
  ])('%s may have made %s: %s', (template, uri, may) => {
    expect(UriTemplate.parse(template)?.mayMatch(uri)).toBe(may)
  })

  test.each(['x://{', 'x://}', 'x://{}', 'x://{a b}', 'x://{a{b}}', `x://${'{a}'.repeat(33)}`])('is not %j', (text) => {
    expect(UriTemplate.parse(text)).toBeUndefined()
  })

  test('takes no long time, whatever it is and whatever is asked', () => {
    const template = UriTemplate.parse(`x://${'{+a}a'.repeat(32)}!`)
    const uri = `x://${'a'.repeat(2_000)}`
    expect(measureCpuMs(() => expect(template?.mayMatch(uri)).toBe(false))).toBeLessThan(200)
  })
})
