import { describe, expect, test } from '@jest/globals'
import { findBreaches } from '../check/rules.mjs'
import { noteTold, openEntry } from '../load/journal.mjs'

const CALL_ID = '019b0000-0000-7000-8000-000000000001'

/** A caller who was told that its wait is over, with so much of its patience left, of a call that ended. */
function toldOfDeadline(leftMs: number) {
  const order = {
    number: 1,
    deed: 'asks once',
    tool: 'native_again',
    traceId: 'chaos-1',
    hub: 0,
    steps: 1,
    stepMs: 5,
    pauseMs: 0,
  } as const
  const entry = openEntry(order)
  entry.patienceEndsAtMs = performance.now() + leftMs
  noteTold(entry, { callId: CALL_ID, code: 'DEADLINE_EXCEEDED', reason: 'the call goes on' })
  const ended = { seq: 1, id: '1-a', event: 'complete', callId: CALL_ID, data: { seq: 1 } }
  const call = {
    callId: CALL_ID,
    traceId: 'chaos-1',
    state: 'completed',
    endId: '1-a',
    tool: 'native_again',
    order: 1,
  } as const
  const stored = { calls: new Map([[CALL_ID, call]]), logs: new Map([['chaos-1', [ended]]]), leftovers: [] }
  return findBreaches({ entries: [entry], stored, executions: [] })
}

describe('a caller who is told that its time is over', () => {
  test('is right to hear so once it is', () => {
    expect(toldOfDeadline(-20)).toEqual([])
  })

  test('breaks a rule while there is time left, however its call has ended', () => {
    expect(toldOfDeadline(20_000)).toMatchObject([{ kind: 'other', rule: 'no wait ends before its time is over' }])
  })
})
