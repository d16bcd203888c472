import { describe, expect, test } from '@jest/globals'
import type { InputRequests } from '@synchub/protocol'
import { createQuestion, isAnswered, pendingRequests, takeResponses } from '../../src/input/question.js'

const REQUESTS: InputRequests = {
  first: { method: 'elicitation/create', params: {} },
  second: { method: 'roots/list', params: {} },
}
const answer = { action: 'accept', content: {} }

describe('a question', () => {
  test('is open until each of its requests is answered, one by one or together', () => {
    const question = createQuestion({ requests: REQUESTS, agentState: 'opaque' }, 1)
    expect([Object.keys(pendingRequests(question)), isAnswered(question)]).toEqual([['first', 'second'], false])
    const { taken, ...half } = takeResponses(question, { first: answer })
    expect([taken, Object.keys(pendingRequests(half)), isAnswered(half)]).toEqual([['first'], ['second'], false])
    const whole = takeResponses(half, { second: answer })
    expect([whole.taken, isAnswered(whole), whole.answers]).toEqual([
      ['second'],
      true,
      { first: answer, second: answer },
    ])
    expect(whole).toMatchObject({ agentState: 'opaque', askedAtMs: 1 })
  })

  test('takes nothing that was not asked, is no answer, or comes a second time', () => {
    const question = createQuestion({ requests: REQUESTS }, 1)
    expect(takeResponses(question, { other: answer, toString: answer, first: 'yes', second: null }).taken).toEqual([])
    const half = takeResponses(question, { first: answer })
    const again = takeResponses(half, { first: { action: 'cancel' } })
    expect([again.taken, again.answers.first]).toEqual([[], answer])
  })

  test('takes no action that nobody can do with a form, and of other questions whatever they are answered', () => {
    const question = createQuestion({ requests: REQUESTS }, 1)
    for (const action of ['explode', 7, undefined]) {
      const place = { path: 'inputResponses.first.action', expected: 'one of accept, decline, cancel' }
      expect(() => takeResponses(question, { first: { action } })).toThrow(
        expect.objectContaining({ code: 'INVALID_PARAMS', details: place }),
      )
    }
    for (const action of ['accept', 'decline', 'cancel']) {
      expect(takeResponses(question, { first: { action }, second: { roots: [] } }).taken).toEqual(['first', 'second'])
    }
  })

  test('has another ticket after each answer, so that an old state holds no more', () => {
    const question = createQuestion({ requests: REQUESTS }, 1)
    const half = takeResponses(question, { first: answer })
    const tickets = [question, half, takeResponses(half, { second: answer })].map(({ ticket }) => ticket)
    expect(new Set(tickets).size).toBe(3)
    for (const ticket of tickets) expect(ticket).toMatch(/^[\w-]{22}$/)
  })
})
