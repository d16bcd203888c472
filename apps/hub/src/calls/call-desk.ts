import {
  type AdmissionPorts,
  admit,
  type CallRecord,
  type CallRequest,
  type CancelOutcome,
  cancelCall,
  type NewCall,
  type RunEnd,
  RunningCalls,
  type RunPorts,
  runCall,
  type TraceRef,
} from '@synchub/core'
import { type CallMode, HubError } from '@synchub/protocol'
import { createCancelBroadcast, type Ending, listenForReplies, type Replies, type Store } from '@synchub/redis'

/** A call that was admitted. */
export interface SubmittedCall {
  readonly callId: string
  /** The trace that the call stands in; a repeat finds that of the first call. */
  readonly trace: TraceRef
  readonly mode: CallMode
  /** True when the idempotency key belongs to this earlier call. */
  readonly replayed: boolean
  /** The call's end; null when `signal` aborted first. The call goes on in any case. */
  wait(signal: AbortSignal): Promise<Ending | null>
}

/** Takes calls in, runs the direct ones, and waits for the ends of all. */
export interface CallDesk {
  /** @throws HubError of the admission step that refused */
  submit(request: CallRequest): Promise<SubmittedCall>
  cancel(call: CallRecord, reason: string | undefined): Promise<CancelOutcome>
  /** Hands back what runs here; settles when all of it is recorded. */
  stop(): Promise<void>
}

/** What the desk works with: the ports of admission and of running calls. */
export interface CallDeskOptions {
  readonly store: Store
  readonly ports: AdmissionPorts & RunPorts
}

const CHECK_MS = 2000
/** How long short calls may still take once the hub stops. */
const GRACE_MS = 2000

/** Opens the desk of one hub. */
export async function openCallDesk({ store, ports }: CallDeskOptions): Promise<CallDesk> {
  const { link, subscriptions, log, queue } = store
  const running = new RunningCalls<RunEnd>()
  const replies = await listenForReplies(link, subscriptions, log, ports.hubId)
  const broadcast = createCancelBroadcast(link)
  const stopListening = await subscriptions.add(link.keys.cancelChannel, (callId) => running.supersede(callId))
  const onFailure = (thrown: unknown) =>
    ports.notice(null, `running calls not checked: ${HubError.from(thrown).message}`)
  const timer = setInterval(() => running.check(log).catch(onFailure), CHECK_MS)

  const runDirect = (call: NewCall): SubmittedCall => {
    const now = ports.clock.now()
    const record: CallRecord = { ...call, state: 'running', attempt: 1, createdAtMs: now, startedAtMs: now }
    const run = running.track(call.callId, (signals) => runCall(record, ports, signals))
    run.catch((thrown: unknown) =>
      ports.notice(call, `the run ended without a record: ${HubError.from(thrown).message}`),
    )
    return {
      callId: call.callId,
      trace: call.trace,
      mode: 'direct',
      replayed: false,
      wait: (signal) => firstOf(run, signal, () => replies.wait(call.callId, signal)),
    }
  }

  return {
    async submit(request) {
      const admission = await admit(request, ports)
      if (admission.kind === 'direct') return runDirect(admission.call)
      const replayed = admission.kind === 'repeat'
      const call = admission.kind === 'queued' ? admission.call : await log.find(admission.callId)
      if (call === null) throw new HubError('INTERNAL_ERROR', 'the call of this idempotency key is gone')
      const { callId, trace, mode } = call
      return { callId, trace, mode, replayed, wait: (signal) => replies.wait(callId, signal) }
    },
    cancel: (call, reason) => cancelCall(call, reason, { log, queue, broadcast }),
    async stop() {
      clearInterval(timer)
      await running.drain(ports.clock, GRACE_MS)
      await stopListening()
      await replies.close()
    },
  }
}

/** The end of a run of this process, without a detour over the log; the log where the run ended otherwise. */
async function firstOf(
  run: ReturnType<typeof runCall>,
  signal: AbortSignal,
  lookUp: () => ReturnType<Replies['wait']>,
): Promise<Ending | null> {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const end = await Promise.race([run, aborted])
  if (end === null) return null
  return end.kind === 'ended' ? { event: end.ending.event, data: end.ending.data } : lookUp()
}
