import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type CallChange, createCallId } from '@synchub/core'
import type { AsyncCommand } from 'fast-check'
import {
  ACCEPTED,
  CANCELLED,
  complete,
  FAILED,
  findCall,
  newCall,
  progress,
  RECEIVED,
  started,
  UNKNOWN,
} from '../call/sample-call.js'
import { type CallModel, eventsOf, type Move, makeStep } from './call-model.js'
import type { RealTrace, TraceModel } from './trace-model.js'

const MOST_CALLS = 4

/** Records a further call, queued or at once at work. */
export class RecordCall implements AsyncCommand<TraceModel, RealTrace> {
  readonly #mode: 'direct' | 'queued'

  constructor(mode: 'direct' | 'queued') {
    this.#mode = mode
  }

  check = ({ calls }: Readonly<TraceModel>) => calls.length < MOST_CALLS

  async run(model: TraceModel, { store, trace }: RealTrace): Promise<void> {
    const isDirect = this.#mode === 'direct'
    const fence = isDirect ? randomUUID() : ''
    const call = newCall({ callId: createCallId(Date.now()), trace, mode: this.#mode, ...(isDirect ? { fence } : {}) })
    const events = isDirect ? [RECEIVED, ACCEPTED, started(1)] : [RECEIVED, ACCEPTED]
    assert.equal(await store.log.record(call, events), 'recorded')
    const { callId } = call
    model.calls.push({
      callId,
      state: isDirect ? 'running' : 'queued',
      attempt: isDirect ? 1 : 0,
      fence,
      progress: undefined,
    })
    model.events.push(...events.map(({ event }) => ({ callId, event })))
  }

  toString = () => `record ${this.#mode}`
}

/** Who tries a step: the holder of the attempt, of one before, of one of the same number that was lost, or somebody who holds none. */
export type Holder = 'current' | 'earlier' | 'lost' | 'none'

/** Tries a step of one of the calls; the store answers as the model does, and the record stands as the model's. */
export class TryStep implements AsyncCommand<TraceModel, RealTrace> {
  readonly #which: number
  readonly #move: Move
  readonly #holder: Holder
  readonly #progress: number

  constructor(which: number, move: Move, holder: Holder, progressValue: number) {
    this.#which = which
    this.#move = move
    this.#holder = holder
    this.#progress = progressValue
  }

  check = ({ calls }: Readonly<TraceModel>) => calls.length > 0

  async run(model: TraceModel, { store, trace }: RealTrace): Promise<void> {
    const call = model.calls[this.#which % model.calls.length]
    if (call === undefined) throw new Error('there is no call')
    const attempt = { current: call.attempt, earlier: call.attempt - 1, lost: call.attempt, none: undefined }[
      this.#holder
    ]
    const [fence, nextFence] = [this.#holder === 'lost' ? randomUUID() : call.fence, randomUUID()]
    const record = newCall({ callId: call.callId, trace, fence })
    const outcome = await store.log.change({
      call: record,
      ...(attempt === undefined ? {} : { attempt }),
      ...changeOf(this.#move, { attempt: call.attempt + 1, fence: nextFence }, this.#progress),
    })
    const expected = makeStep(call, { move: this.#move, attempt, fence, nextFence, progress: this.#progress })
    assert.equal(outcome.kind, expected)
    const { callId, state } = call
    if (expected === 'changed') model.events.push(...eventsOf(this.#move).map((event) => ({ callId, event })))
    const found = await findCall(store, record)
    assert.deepEqual([found.state, found.attempt], [state, call.attempt])
  }

  toString = () => `${this.#holder} holder tries ${this.#move} ${this.#progress} of call ${this.#which}`
}

type Change = Pick<CallChange, 'events' | 'opensAttempt' | 'set'>

function changeOf(move: Move, next: Pick<CallModel, 'attempt' | 'fence'>, value: number): Change {
  const { attempt, fence } = next
  const retrying = { event: 'retrying', data: { attempt: attempt - 1, delayMs: 0, reason: 'lost' } } as const
  const changes: Record<Move, Change> = {
    started: { events: [started(attempt)], opensAttempt: true, set: { fence } },
    retried: { events: [retrying, started(attempt)], opensAttempt: true, set: { fence } },
    progress: { events: [progress(value)] },
    handed_back: { events: [{ event: 'handed_back', data: {} }] },
    complete: { events: [complete()] },
    failed: { events: [FAILED] },
    cancelled: { events: [CANCELLED] },
    unknown: { events: [UNKNOWN] },
  }
  return changes[move]
}
