import { describe, expect, test } from '@jest/globals'
import { HubError, NameUnknown } from '../../src/index.js'

function refuse(): HubError {
  return new HubError('METHOD_NOT_FOUND', 'the tool x is not registered')
}

function fail(): HubError {
  return new HubError('INTERNAL_ERROR', 'the request could not be completed')
}

describe('an error that is an answer', () => {
  test('does not note the calls that led to it', () => {
    const refusal = refuse()
    for (const error of [refusal, refusal.with({ callId: 'c' }), new NameUnknown('tool', 'x', refusal)]) {
      expect(error.stack).not.toContain('\n    at ')
    }
  })

  test('leaves the stacks of faults as they are', () => {
    refuse()
    expect(fail().stack).toContain('at fail')
    expect(new Error('a fault of somebody else').stack).toContain('\n    at ')
  })
})
