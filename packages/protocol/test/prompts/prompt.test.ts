import { describe, expect, test } from '@jest/globals'
import { AnswerShapeError, parseFilledPrompt, parsePrompt } from '../../src/index.js'

function faultOf(check: () => unknown): string {
  try {
    check()
  } catch (thrown) {
    if (thrown instanceof AnswerShapeError) return `${thrown.path}: ${thrown.expected}`
    throw thrown
  }
  return 'none'
}

describe('parsePrompt', () => {
  test('takes over what the hub knows of a prompt; a name may be words', () => {
    const prompt = {
      name: '주간 보고',
      title: 'Weekly report',
      arguments: [{ name: 'week', title: 'Week', description: 'ISO', required: true }, { name: 'tone' }],
    }
    expect(parsePrompt({ ...prompt, icons: [] })).toEqual(prompt)
  })

  test.each([
    ['a name with a line break', { name: 'a\nb' }, 'name: 1 to 128 characters that are no control characters'],
    ['an argument without a name', { name: 'a', arguments: [{}] }, 'arguments.0.name: a string'],
    [
      'an argument that is required perhaps',
      { name: 'a', arguments: [{ name: 'b', required: 'yes' }] },
      'arguments.0.required: a boolean',
    ],
    [
      'too many arguments',
      { name: 'a', arguments: Array.from({ length: 101 }, () => ({ name: 'b' })) },
      'arguments: an array of at most 100 items',
    ],
  ])('refuses %s', (_, value, fault) => {
    expect(faultOf(() => parsePrompt(value))).toBe(fault)
  })
})

describe('parseFilledPrompt', () => {
  test('passes the content of the messages on as it is', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'Write. 🎉', annotations: { priority: 1 } } },
      { role: 'assistant', content: { type: 'resource', resource: { uri: 'x:y', text: '' } } },
      { role: 'user', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
    ]
    expect(parseFilledPrompt({ description: 'A report', messages, _meta: {} })).toEqual({
      description: 'A report',
      messages,
    })
  })

  test.each([
    ['no messages', {}, 'result.messages: an array'],
    [
      'a message of nobody',
      { messages: [{ role: 'system', content: {} }] },
      'result.messages.0.role: user or assistant',
    ],
    ['a message without content', { messages: [{ role: 'user' }] }, 'result.messages.0.content: an object'],
  ])('refuses %s', (_, value, fault) => {
    expect(faultOf(() => parseFilledPrompt(value))).toBe(fault)
  })
})
