import { describe, expect, test } from '@jest/globals'
import { HubError, toErrorObject } from '@synchub/protocol'
import { toHubFailure } from '../src/http/hub-fault.js'

describe('a failure that nobody foresaw', () => {
  test("is the hub's own, and says nothing of its cause", () => {
    const error = toErrorObject(toHubFailure(new TypeError('password of the store')), '/rpc')
    expect(error.data).toMatchObject({ title: 'INTERNAL_ERROR', layer: 'hub', status: 500 })
    expect(error.data.nextStep).toContain('operator of the hub')
    expect(JSON.stringify(error)).not.toContain('password')
  })

  test('leaves a failure of the table as it is', () => {
    const foreseen = new HubError('NOT_FOUND', 'there is no call "x"')
    expect(toHubFailure(foreseen)).toBe(foreseen)
  })
})
