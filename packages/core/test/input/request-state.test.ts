import { describe, expect, test } from '@jest/globals'
import { readState, type StateBinding, signState } from '../../src/index.js'

const KEY = Buffer.alloc(32, 7)
const BINDING: StateBinding = {
  principal: { tenant: 't', subject: 'me' },
  request: { method: 'tools/call', name: 'pay', arguments: { to: 'Kim', amount: 1 } },
}
const boundTo = (request: object, principal: object = {}): StateBinding => ({
  principal: { ...BINDING.principal, ...principal },
  request: { ...BINDING.request, ...request },
})
const state = signState({ name: 'call.ticket', expiresAtMs: 1000 }, BINDING, KEY)

describe('a request state', () => {
  test('names its round to whoever brings what it is bound to, in whichever order it is written', () => {
    const reordered = boundTo({ arguments: { amount: 1, to: 'Kim' } })
    expect(readState(state, reordered, KEY, 999)).toBe('call.ticket')
  })

  test.each<[string, string, StateBinding, Buffer, number]>([
    ['has expired', state, BINDING, KEY, 1000],
    ['was signed with another key', state, BINDING, Buffer.alloc(32), 0],
    ['is brought by another subject', state, boundTo({}, { subject: 'you' }), KEY, 0],
    ['is brought from another tenant', state, boundTo({}, { tenant: 'u' }), KEY, 0],
    ['comes with another method', state, boundTo({ method: 'prompts/get' }), KEY, 0],
    ['comes with another tool', state, boundTo({ name: 'refund' }), KEY, 0],
    ['comes with other arguments', state, boundTo({ arguments: { to: 'Kim', amount: 2 } }), KEY, 0],
    ['names another round', state.replace('ticket', 'tickes'), BINDING, KEY, 0],
    ['says a later expiry', state.replace('~', '~z'), BINDING, KEY, 0],
    ['is written otherwise', `${state}=`, BINDING, KEY, 0],
    ['has something behind it', `${state}~`, BINDING, KEY, 0],
    ['is a bare name', 'call.ticket', BINDING, KEY, 0],
    ['is empty', '', BINDING, KEY, 0],
  ])('names nothing where it %s', (_case, text, binding, key, nowMs) => {
    expect(readState(text, binding, key, nowMs)).toBeUndefined()
  })
})
