import { describe, expect, test } from '@jest/globals'
import { ERROR_CODES, type ErrorDetails, fromErrorObject, HubError, toErrorObject } from '../../src/index.js'

const EVERY_DETAIL: ErrorDetails = {
  detail: 'Index modification detected on table tb_membership_grade',
  path: 'fields.0.type',
  expected: 'string',
  approvalTicketId: 'ticket-hitl-88219',
  instance: '/tools/call/syncboot_generate_schema',
  nextStep: 'Ask somebody.',
  callId: 'c',
  traceId: 't',
  links: { events: '/traces/t/events' },
  retryAfterSeconds: 1.5,
  scope: 'tools:call:x',
  limit: 4,
}

describe('toErrorObject', () => {
  test("writes the seed's approval example", () => {
    const error = new HubError('HITL_APPROVAL_REQUIRED', 'an index would change', {
      detail: 'Index modification detected on table tb_membership_grade',
      approvalTicketId: 'ticket-hitl-88219',
    })
    expect(toErrorObject(error, '/tools/call/syncboot_generate_schema')).toEqual({
      code: -32001,
      message: 'HITL Approval Required: an index would change',
      data: {
        type: 'https://empasy.io/errors/hitl-approval-required',
        title: 'HITL_APPROVAL_REQUIRED',
        status: 403,
        detail: 'Index modification detected on table tb_membership_grade',
        instance: '/tools/call/syncboot_generate_schema',
        approvalTicketId: 'ticket-hitl-88219',
        layer: 'business',
        nextStep: 'Have an administrator decide the approval ticket, then send the call again.',
      },
    })
  })

  test('writes bad parameters as "Invalid params: <cause>" with path and expected', () => {
    const error = new HubError('INVALID_PARAMS', 'city must be a string', { path: 'city', expected: 'string' })
    expect(toErrorObject(error, '/')).toMatchObject({
      code: -32602,
      message: 'Invalid params: city must be a string',
      data: { path: 'city', expected: 'string', detail: 'city must be a string', status: 422 },
    })
  })

  test('lets what the thrower knows win over the defaults, and shows nothing of the cause', () => {
    const error = new HubError('AGENT_UNAVAILABLE', 'down', {
      instance: '/mine',
      nextStep: 'Wait.',
      cause: new Error('password=1234'),
    })
    const object = toErrorObject(error, '/default')
    expect(object.data).toMatchObject({ instance: '/mine', nextStep: 'Wait.' })
    expect(JSON.stringify(object)).not.toContain('1234')
  })
})

describe('fromErrorObject', () => {
  test.each(ERROR_CODES)('reads back what toErrorObject wrote for %s', (code) => {
    const object = toErrorObject(new HubError(code, 'a reason: with a colon', EVERY_DETAIL), '/default')
    const read = fromErrorObject(JSON.parse(JSON.stringify(object)))
    expect(read).toMatchObject({ code, reason: 'a reason: with a colon' })
    expect(toErrorObject(read, '/other')).toEqual(object)
  })

  test('branches on data.title, not on the number', () => {
    expect(fromErrorObject({ code: -32603, message: 'x', data: { title: 'FORBIDDEN' } }).code).toBe('FORBIDDEN')
  })

  test('goes by the number where no title is given', () => {
    const read = fromErrorObject({ code: -32601, message: 'Method not found' })
    expect(read).toMatchObject({ code: 'METHOD_NOT_FOUND', reason: 'Method not found' })
  })

  test('takes the fallback for a title and a number that the table does not know', () => {
    expect(fromErrorObject({ code: -1, message: 'x', data: { title: 'NEW' } }).code).toBe('INTERNAL_ERROR')
    expect(fromErrorObject({ code: -1, message: 'x' }, 'CONTRACT_BROKEN').code).toBe('CONTRACT_BROKEN')
  })

  test.each([null, undefined, 'text', 7, [], {}, { message: 7, data: [] }])('reads %j without failing', (value) => {
    expect(fromErrorObject(value)).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'Internal Error: no reason was given',
      details: {},
    })
  })

  test('takes no detail that it does not know or that has another type', () => {
    const data = {
      path: 7,
      limit: 'x',
      retryAfterSeconds: Number.POSITIVE_INFINITY,
      stack: 'secret',
      links: { a: '/a', b: { c: 1 } },
    }
    expect(fromErrorObject({ code: -32602, message: 'm', data }).details).toEqual({ links: { a: '/a' } })
  })
})

describe('HubError', () => {
  test('says "<name>: <reason>" and keeps the reason alone', () => {
    const error = new HubError('DEADLINE_EXCEEDED', 'the call goes on')
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'HubError', message: 'Deadline Exceeded: the call goes on' })
    expect(error.reason).toBe('the call goes on')
    expect(error.definition.status).toBe(504)
  })

  test('adds details without losing what it had', () => {
    const cause = new Error('inner')
    const error = new HubError('NOT_FOUND', 'gone', { callId: 'a', path: 'p', cause }).with({ callId: 'b', limit: 1 })
    expect(error).toMatchObject({ code: 'NOT_FOUND', reason: 'gone', details: { callId: 'b', path: 'p', limit: 1 } })
    expect(error.cause).toBe(cause)
  })

  test('keeps its own failures and says nothing of foreign ones but in the cause', () => {
    const own = new HubError('FORBIDDEN', 'no')
    expect(HubError.from(own)).toBe(own)
    const foreign = new Error('ECONNREFUSED 10.0.0.1')
    const ours = HubError.from(foreign)
    expect(ours).toMatchObject({ code: 'INTERNAL_ERROR', cause: foreign, details: {} })
    expect(ours.message).toBe('Internal Error: the request could not be completed')
    expect(HubError.from('text', 'the tool broke').message).toBe('Internal Error: the tool broke')
  })
})
