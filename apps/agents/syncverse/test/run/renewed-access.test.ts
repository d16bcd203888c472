import { describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { withRenewedAccess } from '../../src/run/renewed-access.js'

const refusal = () => new HubError('UNAUTHENTICATED', 'the run of this access token is over')

/** Work that only the newest token is good for. */
function workOf(newest: string) {
  const shown: (string | undefined)[] = []
  const state = { accessToken: 'of-attempt-1' }
  const work = async () => {
    shown.push(state.accessToken)
    if (state.accessToken !== newest) throw refusal()
    return 'done'
  }
  return { shown, state, work, accessToken: () => state.accessToken }
}

describe('work whose access token is renewed', () => {
  test('goes on with the token of the next attempt', async () => {
    const { shown, state, work, accessToken } = workOf('of-attempt-2')
    const { signal } = new AbortController()
    const done = withRenewedAccess(work, { accessToken, signal })
    setImmediate(() => {
      state.accessToken = 'of-attempt-2'
    })
    expect(await done).toBe('done')
    expect(shown).toEqual(['of-attempt-1', 'of-attempt-2'])
  })

  test('fails with the refusal where no other token comes', async () => {
    const { shown, work, accessToken } = workOf('of-attempt-2')
    const { signal } = new AbortController()
    const done = withRenewedAccess(work, { accessToken, signal, patienceMs: 0 })
    await expect(done).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(shown).toEqual(['of-attempt-1'])
  })

  test('waits for no token once it is aborted', async () => {
    const { work, accessToken } = workOf('of-attempt-2')
    const controller = new AbortController()
    const done = withRenewedAccess(work, { accessToken, signal: controller.signal })
    controller.abort()
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('is not done again for another failure', async () => {
    let runs = 0
    const work = async () => {
      runs++
      throw new HubError('FORBIDDEN', 'not listed')
    }
    const { signal } = new AbortController()
    const done = withRenewedAccess(work, { accessToken: () => String(runs), signal })
    await expect(done).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(runs).toBe(1)
  })
})
