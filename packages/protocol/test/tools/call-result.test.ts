import { describe, expect, test } from '@jest/globals'
import { AnswerShapeError, parseTokenUsage, parseToolResult } from '../../src/index.js'

function placeOf(value: unknown): unknown {
  try {
    return parseToolResult(value)
  } catch (thrown) {
    if (thrown instanceof AnswerShapeError) return [thrown.path, thrown.expected]
    throw thrown
  }
}

const text = { type: 'text', text: 'done' }

describe('parseToolResult', () => {
  test("takes the seed's pair of text and resource as it is", () => {
    const resource = { uri: 'schema://syncboot/domain/MembershipGrade', mimeType: 'application/sql', text: 'CREATE' }
    const content = [text, { type: 'resource', resource }]
    const tokenUsage = { promptTokens: 120, completionTokens: 80, totalTokens: 200 }
    expect(parseToolResult({ content, isError: false, _meta: { executionTimeMs: 5, tokenUsage } })).toEqual({
      content,
      isError: false,
      tokenUsage,
    })
  })

  test('takes a structured result alone, and a tool that failed', () => {
    expect(parseToolResult({ structuredContent: { n: 0 } })).toEqual({
      content: [],
      structuredContent: { n: 0 },
      isError: false,
    })
    expect(parseToolResult({ content: [], isError: true })).toEqual({ content: [], isError: true })
  })

  test('passes on kinds of content that it does not know, whole', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png', annotations: { priority: 1 } }
    const blob = { type: 'resource', resource: { uri: 'x:', blob: 'aGk=' } }
    expect(parseToolResult({ content: [image, blob] }).content).toEqual([image, blob])
  })

  test.each<[unknown, string, string]>([
    [undefined, 'result', 'an object'],
    [null, 'result', 'an object'],
    [[], 'result', 'an object'],
    ['done', 'result', 'an object'],
    [{}, 'result', 'content or structuredContent'],
    [{ isError: true }, 'result', 'content or structuredContent'],
    [{ content: {} }, 'result.content', 'an array'],
    [{ content: null }, 'result.content', 'an array'],
    [{ content: [text, 'done'] }, 'result.content.1', 'an object'],
    [{ content: [{ text: 'x' }] }, 'result.content.0.type', 'a string'],
    [{ content: [{ type: 'text' }] }, 'result.content.0.text', 'a string'],
    [{ content: [{ type: 'text', text: 7 }] }, 'result.content.0.text', 'a string'],
    [{ content: [{ type: 'resource' }] }, 'result.content.0.resource', 'an object'],
    [{ content: [{ type: 'resource', resource: { text: 'x' } }] }, 'result.content.0.resource.uri', 'a string'],
    [{ content: [{ type: 'resource', resource: { uri: 'x:' } }] }, 'result.content.0.resource', 'text or blob'],
    [
      { content: [{ type: 'resource', resource: { uri: 'x:', text: '', mimeType: 1 } }] },
      'result.content.0.resource.mimeType',
      'a string',
    ],
    [{ content: [], structuredContent: [] }, 'result.structuredContent', 'an object'],
    [{ content: [], structuredContent: null }, 'result.structuredContent', 'an object'],
    [{ content: [], isError: 'false' }, 'result.isError', 'a boolean'],
    [{ content: [], isError: null }, 'result.isError', 'a boolean'],
    [{ content: [], _meta: { tokenUsage: null } }, 'result._meta.tokenUsage', 'an object'],
  ])('refuses %j and names the place', (value, path, expected) => {
    expect(placeOf(value)).toEqual([path, expected])
  })

  test('says in one sentence what is broken and where', () => {
    expect(() => parseToolResult({ content: [{}] })).toThrow(
      "the agent's answer is broken at result.content.0.type: expected a string",
    )
  })
})

describe('parseTokenUsage', () => {
  const usage = (promptTokens: unknown, completionTokens: unknown, totalTokens: unknown) => ({
    promptTokens,
    completionTokens,
    totalTokens,
  })

  test('takes whole numbers whose total is their sum, zero included', () => {
    expect(parseTokenUsage(usage(0, 0, 0))).toEqual(usage(0, 0, 0))
    expect(parseTokenUsage({ ...usage(1, 2, 3), cachedTokens: 1 })).toEqual(usage(1, 2, 3))
  })

  test('leaves what is absent absent', () => {
    expect(parseTokenUsage(undefined)).toBeUndefined()
    expect(parseToolResult({ content: [] })).not.toHaveProperty('tokenUsage')
    expect(parseToolResult({ content: [], _meta: {} })).not.toHaveProperty('tokenUsage')
  })

  test.each([
    [usage(1, 2, 4), 'totalTokens'],
    [usage(1, 2, '3'), 'totalTokens'],
    [usage(1, 2, undefined), 'totalTokens'],
    [usage(-1, 2, 1), 'promptTokens'],
    [usage(1.5, 2, 3.5), 'promptTokens'],
    [usage('1', 2, 3), 'promptTokens'],
    [usage(2 ** 53, 0, 2 ** 53), 'promptTokens'],
    [usage(1, undefined, 1), 'completionTokens'],
    [usage(1, null, 1), 'completionTokens'],
  ])('refuses %j and names the member', (value, member) => {
    expect(placeOf({ content: [], _meta: { tokenUsage: value } })).toEqual([
      `result._meta.tokenUsage.${member}`,
      member === 'totalTokens' ? 'promptTokens + completionTokens' : 'a whole number from 0',
    ])
  })
})
