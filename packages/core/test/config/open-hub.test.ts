import { describe, expect, test } from '@jest/globals'
import { refuseOpenHub } from '../../src/index.js'

const OPEN = { access: { mode: 'none' } } as const

describe('refuseOpenHub', () => {
  test.each(['127.0.0.1', '::1', 'localhost'])('lets a hub without access control listen on %s', (host) => {
    expect(() => refuseOpenHub({ config: OPEN, host })).not.toThrow()
  })

  test.each(['0.0.0.0', '::', '192.0.2.1', 'hub.example'])('keeps it from %s, and says what to do', (host) => {
    const details = { nextStep: expect.stringContaining('access.mode') }
    const refusal = expect.objectContaining({ code: 'FORBIDDEN', details })
    expect(() => refuseOpenHub({ config: OPEN, host })).toThrow(refusal)
  })

  test('lets one that wants keys listen anywhere', () => {
    expect(() => refuseOpenHub({ config: { access: { mode: 'keys', keys: [] } }, host: '0.0.0.0' })).not.toThrow()
  })
})
