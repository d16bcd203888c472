import { describe, expect, test } from '@jest/globals'
import { AnswerShapeError, declaredInputs, findUndeclaredInput, parseInputRequired } from '../../src/index.js'

const form = { method: 'elicitation/create', params: { mode: 'form' } }
const byUrl = { method: 'elicitation/create', params: { mode: 'url' } }
const sampling = { method: 'sampling/createMessage', params: { includeContext: 'none' } }
const withTools = { method: 'sampling/createMessage', params: { tools: [] } }
const withContext = { method: 'sampling/createMessage', params: { includeContext: 'thisServer' } }

describe('parseInputRequired', () => {
  test('reads what is asked, and the state that comes back', () => {
    const asked = { resultType: 'input_required', inputRequests: { a: form }, requestState: 'opaque' }
    expect(parseInputRequired({ ...asked, _meta: {} })).toEqual(asked)
    expect(parseInputRequired({ resultType: 'input_required', requestState: '' })).toMatchObject({ inputRequests: {} })
    for (const other of [{ content: [] }, { resultType: 'complete' }, null, []]) {
      expect(parseInputRequired(other)).toBeUndefined()
    }
  })

  test.each([
    ['nothing at all', {}],
    ['no object', { inputRequests: [form] }],
    ['an unknown kind of question', { inputRequests: { a: { method: 'ping' } } }],
    ['a question that is none', { inputRequests: { a: 'what?' } }],
    ['a state that is no text', { requestState: 7 }],
  ])('refuses %s', (_case, more) => {
    expect(() => parseInputRequired({ resultType: 'input_required', ...more })).toThrow(AnswerShapeError)
  })
})

describe('what a client declares', () => {
  test('is read for what it can be asked alone', () => {
    const declared = { elicitation: {}, sampling: {}, tasks: {}, extensions: {}, roots: true }
    expect(declaredInputs(declared)).toEqual({ elicitation: {}, sampling: {} })
  })

  test.each([
    [{ a: form }, { elicitation: {} }, undefined],
    [{ a: form }, {}, { elicitation: {} }],
    [{ a: form, b: sampling }, { elicitation: {} }, { sampling: {} }],
    [{ a: byUrl }, { elicitation: {} }, { elicitation: { url: {} } }],
    [{ a: byUrl }, { elicitation: { url: {} } }, undefined],
    [{ a: form }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [{ a: byUrl }, {}, { elicitation: { url: {} } }],
    [{ a: form, b: byUrl }, { elicitation: { form: {}, url: {} } }, undefined],
    [{ a: sampling }, { sampling: {} }, undefined],
    [{ a: withTools }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ a: withTools }, { sampling: { tools: {} } }, undefined],
    [{ a: withContext }, { sampling: { tools: {} } }, { sampling: { context: {} } }],
    [{ a: { method: 'roots/list' } }, { roots: {} }, undefined],
    [{}, {}, undefined],
  ])('of %j for %j lacks %j', (requests, declared, lacks) => {
    expect(findUndeclaredInput(requests, declared)).toEqual(lacks)
  })
})
