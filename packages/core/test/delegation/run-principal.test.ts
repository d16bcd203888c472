import { describe, expect, test } from '@jest/globals'
import { readRunAccess } from '@synchub/auth'
import { grantOf } from '../../src/delegation/grant.js'
import { createRunAccess } from '../../src/delegation/run-access.js'
import { authenticateRun, type CallRecord, parseConfig } from '../../src/index.js'
import { callLogOf, recordOf } from './records.js'

const url = 'http://127.0.0.1:1/'
const configOf = (agents: object) =>
  parseConfig({ text: JSON.stringify({ agents }), file: 'test.json', environment: {} })
const config = configOf({ Verse: { url, delegates: ['Boot'] }, Boot: { url } })
const callId = '019b0000-0000-7000-8000-000000000001'
const grant = { scopes: ['tools:call:make'], within: [['Verse']] }
const opened = recordOf({ callId, grant, attempt: 1, fence: 'f1' })

/** The record with this attempt open, and the token that was given for it. */
function open(call: CallRecord, attempt: number) {
  const access = createRunAccess(call, attempt, config)
  if (access === undefined) throw new Error('no access token was made')
  const shown = readRunAccess(`Bearer ${access.accessToken}`)
  if (shown === undefined) throw new Error('the access token is not read')
  return { shown, call: { ...call, attempt, accessDigests: access.accessDigests } }
}

describe('what goes from a caller to the agent that works for it', () => {
  test('are its scopes for tools alone, and what bounded the caller', () => {
    const principal = {
      tenant: 'a',
      subject: 'b',
      agent: 'c',
      scopes: ['tools:call:x', 'tools:call', 'traces:read:tenant', 'resources:read'],
    }
    expect(grantOf(principal)).toEqual({ scopes: ['tools:call:x', 'tools:call'], within: [] })
    const run = { callId, attempt: 1, traceId: 't', within: [['A'], ['B.c']] }
    expect(grantOf({ ...principal, run })).toMatchObject({ within: [['A'], ['B.c']] })
  })
})

describe('an access token is made', () => {
  test('only for agents that delegate, and calls that were recorded since they do', () => {
    expect(createRunAccess(recordOf({ agent: 'Boot', grant }), 1, config)).toBeUndefined()
    expect(createRunAccess(recordOf({ agent: 'Gone', grant }), 1, config)).toBeUndefined()
    expect(createRunAccess(recordOf(), 1, config)).toBeUndefined()
  })

  test('for each attempt anew, beside what is kept of those before', () => {
    const first = open(opened, 1)
    const third = open(first.call, 3)
    expect(third.call.accessDigests).toEqual([first.shown.digest, '', third.shown.digest])
    expect(JSON.stringify(third.call)).not.toContain('shr_')
  })
})

describe('an agent at work', () => {
  test('acts in the tenant and trace of its call, for its owner, within all that bounds it', async () => {
    const { shown, call } = open(opened, 1)
    expect(await authenticateRun(shown, { log: callLogOf(call), config })).toEqual({
      tenant: 'acme',
      subject: 'alice',
      agent: 'Verse',
      scopes: ['tools:call:make'],
      run: { callId, attempt: 1, fence: 'f1', traceId: 't', within: [['Verse'], ['Boot']] },
    })
  })

  test('loses at once what the configuration takes back', async () => {
    const { shown, call } = open(opened, 1)
    const without = configOf({ Verse: { url }, Boot: { url } })
    expect((await authenticateRun(shown, { log: callLogOf(call), config: without })).run?.within.at(-1)).toEqual([])
  })

  test.each([
    ['the attempt was followed by another', { attempt: 2 }, 'attempt 2 of its call was opened after attempt 1'],
    ['the call waits to be run again', { state: 'queued' }, 'its call is queued'],
    ['the call has ended', { state: 'completed' }, 'its call is completed'],
  ] as const)('is told when its run is over: %s', async (_, change, reason) => {
    const { shown, call } = open(opened, 1)
    await expect(authenticateRun(shown, { log: callLogOf({ ...call, ...change }), config })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: `the run of this access token is over: ${reason}`,
    })
  })

  test.each([
    ['there is no such call', undefined],
    ['the call gave none', recordOf({ callId })],
    ['the call gave another', open(opened, 1).call],
    ['the call ended, and gave another', { ...open(opened, 1).call, state: 'completed' as const }],
  ])('is told nothing when it shows what was not given: %s', async (_, kept) => {
    const { shown } = open(opened, 1)
    const log = kept === undefined ? callLogOf() : callLogOf(kept)
    await expect(authenticateRun(shown, { log, config })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'the run access token is not valid',
    })
  })
})
