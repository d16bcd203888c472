import { HubError, toErrorObject } from '@synchub/protocol'
import { createCallId } from '../call/call-id.js'
import type { CallLog, EventDraft } from '../call/call-log.js'
import type { CallQueue } from '../call/call-queue.js'
import type { IdempotencyClaim, NewCall } from '../call/call-record.js'
import { instanceOf } from '../call/problem-instance.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import { type ResolvedTool, resolveTool } from '../catalogue/resolve-tool.js'
import { readToolName } from '../catalogue/tool-name.js'
import type { Clock } from '../clock.js'
import type { HubConfig } from '../config/hub-config.js'
import { SchemaError } from '../contract/schema-compiler.js'
import type { ContractBook } from '../contract/tool-contract.js'
import { findTreePlace, placeRequest } from '../delegation/call-place.js'
import { grantOf } from '../delegation/grant.js'
import { createRunAccess, type RunAccess } from '../delegation/run-access.js'
import type { ClaimOutcome, IdempotencyClaims } from '../idempotency/claims.js'
import { digestIdempotency, ownedKey } from '../idempotency/digest.js'
import { leavesKeyFree } from '../idempotency/key-freedom.js'
import type { CallCounter } from '../quota/call-quota.js'
import { createFence } from '../run/fence.js'
import { type StopSignal, StopSwitch } from '../stop-switch.js'
import { authorizeCaller, authorizeTool } from './authorize.js'
import type { CallRequest } from './call-request.js'
import { recordCall, storeSilent } from './record-call.js'
import { requireRoom } from './room.js'

/** What admission works with. */
export interface AdmissionPorts {
  readonly config: HubConfig
  readonly clock: Clock
  readonly contracts: ContractBook
  readonly log: CallLog
  readonly claims: IdempotencyClaims
  readonly queue: CallQueue
  /** Counts what callers have open; absent where no limit is set. */
  readonly counter?: CallCounter
  readonly hubId: string
  /** Aborts when the process stops. */
  readonly stopping: StopSignal
  /** See {@link requireRoom}. */
  noRoom(): HubError | undefined
  /** The catalogue as this hub knows it now. */
  catalogue(): Catalogue
  /** Told of what the edge should log. */
  notice(call: NewCall | null, reason: string): void
}

/** What became of a request that was not refused. */
export type Admission =
  /** Recorded and in the agent's queue. */
  | { readonly kind: 'queued'; readonly call: NewCall }
  /** Recorded as running: this hub calls the agent now, with the access token of this run if it makes calls of its own. */
  | { readonly kind: 'direct'; readonly call: NewCall; readonly access: RunAccess | undefined }
  /** The idempotency key belongs to an earlier call: answer with its outcome. */
  | { readonly kind: 'repeat'; readonly callId: string }

/**
 * The admission list of design section 3. Steps 1 and 2 refuse without a record; a refusal of a later step is recorded as a
 * call that was received and refused, and carries its callId.
 * @throws HubError with the code of the step that refused
 */
export async function admit(given: CallRequest, ports: AdmissionPorts): Promise<Admission> {
  // 1 authenticate: the surface has read the principal.
  // 2 authorize. Needs to know which tool a name means; nothing is looked up but the catalogue in memory.
  const caller = authorizeCaller(given)
  const request = placeRequest(given)
  const resolution = resolve(request, ports)
  authorizeTool(request, readToolName(request, ports.config), resolution.tool)

  await requireRoom(request, ports)
  let call = await draftCall(request, caller, resolution.tool, ports)
  // 3 resolve the tool.
  if (resolution.tool === undefined) throw await refuse(call, resolution.refusal, ports)
  // 4 validate the arguments.
  const violation = checkArguments(request, resolution.tool, ports)
  if (violation !== undefined) throw await refuse(call, violation, ports)
  const tooDeep = checkDepth(call, ports)
  if (tooDeep !== undefined) throw await refuse(call, tooDeep, ports)
  // 5 claim the idempotency key.
  if (call.idempotency !== undefined) {
    const { idempotency, trace } = call
    const outcome = await claimInTime(call, idempotency, request.answerByMs, ports)
    if (outcome.kind === 'pending') throw stillPending()
    if (outcome.kind === 'removed') throw keptNoLonger(outcome)
    if (outcome.kind !== 'claimed' && (await leavesKeyFree(outcome.callId, ports.log))) {
      await ports.claims.release(trace, idempotency.keyDigest, outcome.callId)
      return admit(request, ports)
    }
    if (outcome.kind === 'repeat') return outcome
    if (outcome.kind === 'conflict') {
      const reason = 'the idempotency key was used for another tool or other arguments'
      throw new HubError('IDEMPOTENCY_CONFLICT', reason)
    }
    call = { ...call, idempotency: { ...idempotency, recordByMs: outcome.recordByMs } }
  }
  // 8 dispatch.
  if (!resolution.tool.available) {
    const reason = `the agent ${call.agent} cannot be reached: ${resolution.tool.reason ?? 'no reason is known'}`
    throw await refuse(call, new HubError('AGENT_UNAVAILABLE', reason), ports)
  }
  return dispatch(request, call, ports)
}

/** Claims the key of a call; while another request holds it that has recorded nothing yet, for as long as the caller waits. */
async function claimInTime(
  { callId, trace }: NewCall,
  claim: IdempotencyClaim,
  answerByMs: number | undefined,
  { claims, clock }: AdmissionPorts,
): Promise<ClaimOutcome> {
  if (answerByMs === undefined) return claims.claim(trace, claim, { callId, trace })
  const giveUp = new StopSwitch()
  const callOff = clock.schedule(Math.max(0, answerByMs - clock.now()), () => giveUp.abort())
  try {
    return await claims.claim(trace, claim, { callId, trace }, giveUp)
  } finally {
    callOff()
  }
}

/** It is never run again: what it did is done, and only its record is gone. */
function keptNoLonger({ callId, state }: Extract<ClaimOutcome, { kind: 'removed' }>): HubError {
  const reason = `the call of this idempotency key, ${callId}, ended as ${state}, and its record is kept no longer`
  const nextStep = 'Look for it in the archive of the hub, or send a new key if the work is wanted once more.'
  return new HubError('NOT_FOUND', reason, { nextStep })
}

function stillPending(): HubError {
  const reason = 'another request with this idempotency key is being recorded, and this one was not'
  return new HubError('DEADLINE_EXCEEDED', reason, { nextStep: 'Send it again with the same key: it joins that call.' })
}

/** Either the tool, or why the name stands for none. */
type Resolution =
  | { readonly tool: ResolvedTool; readonly refusal?: undefined }
  | { readonly tool?: undefined; readonly refusal: HubError }

function resolve(request: CallRequest, { catalogue, config }: AdmissionPorts): Resolution {
  try {
    return { tool: resolveTool(request, catalogue(), config) }
  } catch (thrown) {
    return { refusal: HubError.from(thrown) }
  }
}

async function draftCall(
  request: CallRequest,
  caller: string,
  tool: ResolvedTool | undefined,
  { clock, hubId, log }: AdmissionPorts,
): Promise<NewCall> {
  const now = clock.now()
  const { principal, traceId, parentCallId, originCallId, idempotencyKey } = request
  const { w3cTraceId, taskTtlMs, inputCapabilities } = request
  const trace = { tenant: principal.tenant, owner: principal.subject, traceId }
  const agent = tool?.agent.name ?? request.deployment ?? request.targetAgent ?? ''
  const name = tool?.name ?? request.name
  const place = parentCallId === undefined ? {} : await findTreePlace(parentCallId, trace, principal, log)
  return {
    callId: createCallId(now),
    trace,
    caller,
    agent,
    tool: name,
    mode: tool?.policy.mode ?? 'direct',
    toolRevision: tool?.offer?.revision ?? '',
    arguments: request.arguments,
    ...place,
    ...(tool?.agent.delegates === undefined ? {} : { grant: grantOf(principal) }),
    ...(originCallId === undefined ? {} : { originCallId }),
    ...(idempotencyKey === undefined
      ? {}
      : { idempotency: digestIdempotency(ownedKey(idempotencyKey, principal), agent, name, request.arguments) }),
    ...(tool?.policy.mode === 'queued' ? { queueDeadlineAtMs: now + tool.policy.queueWaitMs } : {}),
    ...(w3cTraceId === undefined ? {} : { w3cTraceId }),
    ...(taskTtlMs === undefined ? {} : { taskTtlMs }),
    ...(inputCapabilities === undefined ? {} : { inputCapabilities }),
    hubId,
  }
}

function checkArguments(request: CallRequest, tool: ResolvedTool, ports: AdmissionPorts): HubError | undefined {
  if (tool.offer === undefined) return undefined
  try {
    const violation = ports.contracts.contractOf(tool.offer.tool, tool.offer.revision).checkArguments(request.arguments)
    if (violation === undefined) return undefined
    return new HubError('INVALID_PARAMS', violation.reason, { path: violation.path, expected: violation.expected })
  } catch (thrown) {
    if (!(thrown instanceof SchemaError)) throw thrown
    return new HubError('CONTRACT_BROKEN', `the schema of ${tool.name} cannot be used: ${thrown.message}`)
  }
}

/** A call that makes calls that make calls: without a bound one mistake in a plan would never end. */
function checkDepth({ depth = 1 }: NewCall, { config }: AdmissionPorts): HubError | undefined {
  const { maxCallDepth } = config.limits
  if (depth <= maxCallDepth) return undefined
  const reason = `the call would be the ${depth}th of a chain of calls that wait for each other, and limits.maxCallDepth is ${maxCallDepth}`
  return new HubError('FORBIDDEN', reason)
}

async function refuse(call: NewCall, error: HubError, { log, claims, config }: AdmissionPorts): Promise<HubError> {
  const located = error.with({ callId: call.callId, traceId: call.trace.traceId })
  const { idempotency, ...unclaimed } = call
  const refused: EventDraft = { event: 'refused', data: { error: toErrorObject(located, instanceOf(call)) } }
  const outcome = await log.record(unclaimed, [received(call), refused], config.limits.maxTraceBytes)
  if (outcome === 'recorded') return located
  if (outcome === 'unanswered') return storeSilent()
  // A refusal that is recorded leaves its key free; here nothing tells that whoever comes with the key need not wait.
  if (idempotency !== undefined) await claims.release(call.trace, idempotency.keyDigest, call.callId)
  if (outcome === 'full') return traceIsFull(call, config)
  return outcome === 'orphaned' ? runIsOver() : located
}

async function dispatch(request: CallRequest, drafted: NewCall, ports: AdmissionPorts): Promise<Admission> {
  const accepted: EventDraft = { event: 'accepted', data: {} }
  const started: EventDraft = { event: 'started', data: { attempt: 1 } }
  const direct = drafted.mode === 'direct'
  const call = direct ? { fence: createFence(), ...drafted } : drafted
  const events = direct ? [received(call), accepted, started] : [received(call), accepted]
  const access = direct ? createRunAccess(call, 1, ports.config) : undefined
  const recorded = access === undefined ? call : { ...call, accessDigests: access.accessDigests }
  await holdCall(request, call, ports)
  const outcome = await recordCall(recorded, events, ports)
  if (outcome !== 'recorded') {
    const { trace, idempotency, callId } = call
    await ports.counter?.letGo(call)
    if (idempotency !== undefined) await ports.claims.release(trace, idempotency.keyDigest, callId)
    if (outcome === 'orphaned') throw runIsOver()
    if (outcome === 'full') throw traceIsFull(call, ports.config)
    // Voided while we were paused: the call was given up, or another request took our claim over, whose repeat this one then is.
    return admit(request, ports)
  }
  if (direct) return { kind: 'direct', call, access }
  try {
    await ports.queue.add(call)
  } catch (thrown) {
    // The call is recorded, and that is what counts: a sweep adds the job that is missing now.
    ports.notice(call, `the job was not added: ${HubError.from(thrown).message}`)
  }
  return { kind: 'queued', call }
}

/**
 * Counts the call as an open one of its caller. What an agent at work calls for a caller is not counted: it would wait for itself. No
 * record is made of a refusal: whoever sends on and on would fill the store with them.
 */
async function holdCall({ principal }: CallRequest, call: NewCall, { counter, claims }: AdmissionPorts): Promise<void> {
  if (counter === undefined || principal.run !== undefined) return
  try {
    await counter.hold(call)
  } catch (thrown) {
    const { trace, idempotency, callId } = call
    if (idempotency !== undefined) await claims.release(trace, idempotency.keyDigest, callId)
    throw thrown
  }
}

/** Nothing is recorded of a call for which its trace has no room; what runs in it goes on, and its results are kept in any case. */
function traceIsFull({ trace }: NewCall, { limits }: HubConfig): HubError {
  const limit = limits.maxTraceBytes
  const reason = `the hub has no room for this call in the trace ${trace.traceId}: with its arguments it would hold more than the ${limit} bytes of arguments, results and events that limits.maxTraceBytes allows`
  const nextStep =
    'Nothing was done: send the call under another traceId, or have the operator of the hub raise limits.maxTraceBytes.'
  return new HubError('PAYLOAD_TOO_LARGE', reason, { limit, nextStep })
}

/** It was running when its access token was read, and has ended since: nothing of this call is recorded. */
function runIsOver(): HubError {
  return new HubError('UNAUTHENTICATED', 'the run of this access token is over')
}

function received({ caller, agent, parentCallId, originCallId }: NewCall): EventDraft {
  const parent = parentCallId === undefined ? {} : { parentCallId }
  const origin = originCallId === undefined ? {} : { originCallId }
  return { event: 'received', data: { caller, agent, ...parent, ...origin } }
}
