import { describe, expect, test } from '@jest/globals'
import { AnswerShapeError, parseResource, parseResourceReading, parseResourceTemplate } from '../../src/index.js'

function faultOf(check: () => unknown): string {
  try {
    check()
  } catch (thrown) {
    if (thrown instanceof AnswerShapeError) return `${thrown.path}: ${thrown.expected}`
    throw thrown
  }
  return 'none'
}

const note = { uri: 'note://1', name: 'A note' }

describe('parseResource', () => {
  test('takes over what the hub knows of a resource, and nothing else', () => {
    const full = {
      ...note,
      title: '메모',
      description: 'Of today.',
      mimeType: 'text/plain',
      size: 12,
      annotations: { audience: ['user'] },
    }
    expect(parseResource({ ...full, icons: [], secret: 1 })).toEqual(full)
    expect(parseResource({ ...note, size: 'large' })).toEqual(note)
  })

  test.each([
    ['no object', null, 'resource: an object'],
    ['no URI', { name: 'x' }, 'uri: a string'],
    ['a URI without end', { ...note, uri: `x:${'y'.repeat(2048)}` }, 'uri: a string of at most 2048 characters'],
    ['no name', { uri: 'x:y' }, 'name: a string'],
    ['annotations that are none', { ...note, annotations: [] }, 'annotations: an object'],
    ['a media type that is none', { ...note, mimeType: 7 }, 'mimeType: a string'],
  ])('refuses %s', (_, value, fault) => {
    expect(faultOf(() => parseResource(value))).toBe(fault)
  })

  test('checks a template in the same way', () => {
    const template = { uriTemplate: 'note://{id}', name: 'Notes' }
    expect(parseResourceTemplate({ ...template, more: true })).toEqual(template)
    expect(faultOf(() => parseResourceTemplate(note))).toBe('uriTemplate: a string')
  })
})

describe('parseResourceReading', () => {
  test('passes the contents on as they are, members that it does not know too', () => {
    const contents = [
      { uri: 'note://1', mimeType: 'text/plain', text: '안녕 \u2028 🎉', _meta: { page: 1 } },
      { uri: 'note://1#image', blob: 'AP8=' },
    ]
    expect(parseResourceReading({ contents, ttlMs: 5 })).toEqual({ contents })
  })

  test.each([
    ['no contents', {}, 'result.contents: an array'],
    ['contents without a URI', { contents: [{ text: '' }] }, 'result.contents.0.uri: a string'],
    ['contents that hold nothing', { contents: [{ uri: 'x:y' }] }, 'result.contents.0: text or blob'],
  ])('refuses %s', (_, value, fault) => {
    expect(faultOf(() => parseResourceReading(value))).toBe(fault)
  })
})
