import { describe, expect, test } from '@jest/globals'
import { mintRunAccess, type Principal } from '@synchub/auth'
import type { CallRequest } from '../../src/admission/call-request.js'
import { findTreePlace, isBelow, placeOf, placeRequest } from '../../src/delegation/call-place.js'
import { callLogOf, recordOf } from './records.js'

const caller: Principal = { tenant: 'acme', subject: 'alice', agent: 'Console', scopes: ['tools:call'] }
const atWork: Principal = {
  ...caller,
  agent: 'Verse',
  run: { callId: 'parent', attempt: 2, fence: 'f2', traceId: 't', within: [['Boot']] },
}

describe('the place of a request', () => {
  test('is what a caller names, and nothing where it names nothing', () => {
    expect(placeOf(caller, { traceId: 'x', parentCallId: 'y' })).toEqual({ traceId: 'x', parentCallId: 'y' })
    expect(placeOf(caller, {})).toEqual({})
  })

  test('of an agent at work is that of its call, named or not', () => {
    const own = { traceId: 't', parentCallId: 'parent' }
    expect(placeOf(atWork, {})).toEqual(own)
    expect(placeOf(atWork, own)).toEqual(own)
  })

  test.each([
    ['_meta.traceId', { traceId: 'other' }],
    ['_meta.parentCallId', { parentCallId: 'other' }],
  ])('of an agent at work may be no other: %s', (path, named) => {
    expect(() => placeOf(atWork, named)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', details: expect.objectContaining({ path }) }),
    )
  })

  test('is filled in and checked whatever surface a request came by', () => {
    const request: CallRequest = { principal: atWork, name: 'make', arguments: {}, traceId: 't' }
    expect(placeRequest(request)).toEqual({ ...request, parentCallId: 'parent' })
    expect(() => placeRequest({ ...request, traceId: 'made-up' })).toThrow('_meta.traceId')
    const plain = { ...request, principal: caller }
    expect(placeRequest(plain)).toBe(plain)
  })

  test('is no way to hand an access token on', () => {
    const { accessToken } = mintRunAccess('019b0000-0000-7000-8000-000000000001', 1)
    const request = { principal: atWork, name: 'make', arguments: { a: [{ b: `x${accessToken}` }] }, traceId: 't' }
    expect(() => placeRequest(request)).toThrow('may not be handed on')
  })
})

describe('the place of a call in its tree', () => {
  const log = callLogOf(
    recordOf({ callId: 'root' }),
    recordOf({ callId: 'middle', parentCallId: 'root', depth: 2 }),
    recordOf({ callId: 'leaf', parentCallId: 'middle', depth: 3 }),
    recordOf({ callId: 'elsewhere', trace: { tenant: 'acme', owner: 'alice', traceId: 'other' } }),
    recordOf({ callId: 'foreign', trace: { tenant: 'beta', owner: 'alice', traceId: 't' } }),
  )
  const trace = { tenant: 'acme', owner: 'alice', traceId: 't' }

  test('is one below its parent; a run says which attempt of it', async () => {
    expect(await findTreePlace('root', trace, caller, log)).toEqual({ parentCallId: 'root', depth: 2 })
    expect(await findTreePlace('leaf', trace, atWork, log)).toEqual({
      parentCallId: 'leaf',
      depth: 4,
      parentAttempt: 2,
      parentFence: 'f2',
    })
  })

  test.each(['none', 'elsewhere', 'foreign'])(
    'is not below a call of no, or another, trace: %s',
    async (parentCallId) => {
      await expect(findTreePlace(parentCallId, trace, caller, log)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    },
  )

  test('is below every call on the way up, and below no other', async () => {
    const leaf = recordOf({ callId: 'leaf', parentCallId: 'middle' })
    expect(await isBelow(leaf, 'middle', log)).toBe(true)
    expect(await isBelow(leaf, 'root', log)).toBe(true)
    expect(await isBelow(leaf, 'leaf', log)).toBe(false)
    expect(await isBelow(leaf, 'elsewhere', log)).toBe(false)
    expect(await isBelow(recordOf({ callId: 'root' }), 'root', log)).toBe(false)
    expect(await isBelow(recordOf({ callId: 'x', parentCallId: 'trimmed' }), 'root', log)).toBe(false)
  })
})
