import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Admission,
  type AdmissionPorts,
  type Answering,
  admit,
  answerQuestion,
  type CallRecord,
  type CallRequest,
  type CancelOutcome,
  type CarriedHeaders,
  cancelCall,
  type OpenedCall,
  type RunEnd,
  RunningCalls,
  type RunPorts,
  runCall,
  type StopSignal,
  StopSwitch,
  type TraceRef,
} from '@synchub/core'
import { type CallMode, HubError, type JsonObject } from '@synchub/protocol'
import { createCancelBroadcast, type Ending, listenForReplies, type Replies, type Store } from '@synchub/redis'

/** A call that was admitted. */
export interface SubmittedCall {
  readonly callId: string
  /** The trace that the call stands in; a repeat finds that of the first call. */
  readonly trace: TraceRef
  readonly mode: CallMode
  /** True when the idempotency key belongs to this earlier call. */
  readonly replayed: boolean
  /** The call's end; null when `signal` aborted first, or the hub stops. The call goes on in any case. */
  wait(signal: StopSignal): Promise<Ending | null>
}

/** Takes calls in, runs the direct ones, and waits for the ends of all. */
export interface CallDesk {
  /** @throws HubError of the admission step that refused */
  submit(request: CallRequest): Promise<SubmittedCall>
  cancel(call: CallRecord, reason: string | undefined): Promise<CancelOutcome>
  /** Gives a call what its agent asked the caller for; it goes on once all is answered. */
  answer(call: CallRecord, responses: JsonObject): Promise<Answering>
  /** The end of any call; null when `signal` aborts first, or the hub stops. */
  wait(callId: string, signal: StopSignal): Promise<Ending | null>
  /** Hands back what runs here; settles when all of it is recorded. */
  stop(): Promise<void>
}

/** What the desk works with: the ports of admission and of running calls. */
export interface CallDeskOptions {
  readonly store: Store
  readonly ports: Omit<AdmissionPorts, 'stopping'> & Omit<RunPorts, 'broadcast'>
}

type DirectAdmission = Extract<Admission, { kind: 'direct' }>

const CHECK_MS = 2000

/** Opens the desk of one hub. */
export async function openCallDesk({ store, ports: given }: CallDeskOptions): Promise<CallDesk> {
  const { link, subscriptions, log } = store
  const stopping = new StopSwitch()
  const ports = { ...given, broadcast: createCancelBroadcast(link), stopping }
  const running = new RunningCalls<RunEnd>()
  const replies = await listenForReplies(link, subscriptions, log, ports.hubId)
  const stopListening = await subscriptions.add(link.keys.cancelChannel, (callId) => running.supersede(callId))
  const onFailure = (thrown: unknown) =>
    ports.notice(null, `running calls not checked: ${HubError.from(thrown).message}`)
  const timer = setInterval(() => void running.check(log).catch(onFailure), CHECK_MS)

  const waits = new Set<StopSwitch>()
  let isClosed = false
  // By hand and not by AbortSignal.any, which costs a short call more than the rest of its wait.
  const waiting = async <T>(signal: StopSignal, wait: (either: StopSignal) => Promise<T>): Promise<T> => {
    const either = new StopSwitch()
    const stop = () => either.abort()
    signal.addEventListener('abort', stop)
    if (signal.aborted || isClosed) stop()
    waits.add(either)
    try {
      return await wait(either)
    } finally {
      waits.delete(either)
      signal.removeEventListener('abort', stop)
    }
  }

  const runHere = (opened: OpenedCall, carried: CarriedHeaders | undefined): Promise<RunEnd> => {
    const run = running.track(opened.callId, (signals) => runCall(opened, ports, signals, carried))
    run.then(
      // Who waits here for the same call, as a repeat does, is told without a detour over pub/sub.
      () => replies.wake(opened.callId),
      (thrown: unknown) => ports.notice(opened, `the run ended without a record: ${HubError.from(thrown).message}`),
    )
    return run
  }

  const runDirect = ({ call, access }: DirectAdmission, carried: CarriedHeaders | undefined): SubmittedCall => {
    const now = ports.clock.now()
    const opened = { state: 'running', attempt: 1, createdAtMs: now, startedAtMs: now, ...call, ...access } as const
    const run = runHere(opened, carried)
    return {
      callId: call.callId,
      trace: call.trace,
      mode: 'direct',
      replayed: false,
      wait: (signal) => waiting(signal, (either) => firstOf(run, either, () => replies.wait(call.callId, either))),
    }
  }

  return {
    async submit(request) {
      const { tenant, subject, run } = request.principal
      // What an agent at work calls for a caller is not counted.
      if (run === undefined) await ports.counter?.countSent({ tenant, owner: subject })
      const admission = await admit(request, ports)
      if (admission.kind === 'direct') return runDirect(admission, request.carried)
      const replayed = admission.kind === 'repeat'
      const call = admission.kind === 'queued' ? admission.call : await log.find(admission.callId)
      if (call === null) throw new HubError('INTERNAL_ERROR', 'the call of this idempotency key is gone')
      const { callId, trace, mode } = call
      const isNew = !replayed
      const wait = (signal: StopSignal) => waiting(signal, (either) => replies.wait(callId, either, { isNew }))
      return { callId, trace, mode, replayed, wait }
    },
    cancel: (call, reason) => cancelCall(call, reason, ports),
    async answer(call, responses) {
      const answering = await answerQuestion(call, responses, ports)
      if (answering.kind === 'direct') void runHere(answering.call, undefined)
      return answering
    },
    wait: (callId, signal) => waiting(signal, (either) => replies.wait(callId, either)),
    async stop() {
      clearInterval(timer)
      await running.drain(ports.clock, ports.config.stop.graceMs)
      // Whoever waits for a run that has just ended gets its answer first. What goes on elsewhere is not waited for here any
      // more; its callers learn where to find it.
      await nextTurn()
      isClosed = true
      stopping.abort()
      for (const wait of waits) wait.abort()
      await stopListening()
      await replies.close()
    },
  }
}

/** The end of a run of this process, without a detour over the log; the log where the run ended otherwise. */
async function firstOf(
  run: ReturnType<typeof runCall>,
  signal: StopSignal,
  lookUp: () => ReturnType<Replies['wait']>,
): Promise<Ending | null> {
  const end = await raceAbort(run, signal)
  if (end === null) return null
  return end.kind === 'ended' ? { event: end.ending.event, data: end.ending.data } : lookUp()
}

/** Null when `signal` aborts first. Takes its listener away again: a joined signal that is listened to is never collected. */
async function raceAbort<T>(work: Promise<T>, signal: StopSignal): Promise<T | null> {
  if (signal.aborted) return null
  let giveUp = () => {}
  const aborted = new Promise<null>((resolve) => {
    giveUp = () => resolve(null)
    signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
