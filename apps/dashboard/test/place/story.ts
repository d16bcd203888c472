import { createCallId, type EventDraft, endingOfError, type NewCall, type TraceRef } from '@synchub/core'
import { type ErrorCode, HubError, type JsonObject } from '@synchub/protocol'
import type { DashboardPlace } from './dashboard-place.js'

/** How a told call ended. */
export type StoryEnding =
  | {
      readonly kind: 'complete'
      readonly content?: readonly JsonObject[]
      readonly result?: JsonObject
      readonly isError?: boolean
    }
  | { readonly kind: 'failed' | 'unknown' | 'cancelled' | 'refused'; readonly code: ErrorCode; readonly reason: string }

/** A call as a story tells it; times are ms after the trace's beginning. */
export interface StoryCall {
  readonly name: string
  readonly tool: string
  readonly agent: string
  /** Name of the call that it was made for. */
  readonly parent?: string
  readonly arguments?: JsonObject
  readonly beginsMs: number
  /** Start of each attempt; a call that was refused has none. */
  readonly attemptsMs?: readonly number[]
  readonly progress?: readonly { readonly atMs: number; readonly progress: number; readonly message: string }[]
  readonly endsMs: number
  readonly ending: StoryEnding
}

/** A trace that has happened. */
export interface Story {
  readonly traceId: string
  readonly owner?: string
  readonly caller: string
  readonly beganMs: number
  readonly calls: readonly StoryCall[]
}

interface Step {
  readonly atMs: number
  tell(): Promise<unknown>
}

/**
 * Writes a trace as if it had happened then: every step through the log that hub and dispatcher use.
 * @returns the ids of its calls by their names
 */
export async function tellStory(
  { store, clock }: DashboardPlace,
  story: Story,
  tenant = 'local',
): Promise<ReadonlyMap<string, string>> {
  const trace: TraceRef = { tenant, owner: story.owner ?? 'local', traceId: story.traceId }
  const ids = new Map(story.calls.map(({ name, beginsMs }) => [name, createCallId(story.beganMs + beginsMs)]))
  const steps = story.calls.flatMap((call) => stepsOf(call, story, trace, ids))
  for (const { atMs, tell } of steps.toSorted((left, right) => left.atMs - right.atMs)) {
    clock.set(story.beganMs + atMs)
    await tell()
  }
  clock.set(Date.now())
  return ids

  function stepsOf(call: StoryCall, { caller }: Story, ref: TraceRef, callIds: ReadonlyMap<string, string>): Step[] {
    const { ending, attemptsMs = [call.beginsMs + 5], progress = [] } = call
    const parentCallId = call.parent === undefined ? undefined : callIds.get(call.parent)
    const callerAgent = story.calls.find(({ name }) => name === call.parent)?.agent ?? caller
    const record: NewCall = {
      callId: callIds.get(call.name) ?? '',
      trace: ref,
      caller: callerAgent,
      agent: call.agent,
      tool: call.tool,
      mode: 'queued',
      toolRevision: 'r1',
      arguments: call.arguments ?? {},
      hubId: 'hub-of-the-story',
      ...(parentCallId === undefined ? {} : { parentCallId }),
    }
    const received: EventDraft = {
      event: 'received',
      data: { caller: callerAgent, agent: call.agent, ...(parentCallId === undefined ? {} : { parentCallId }) },
    }
    if (ending.kind === 'refused') {
      const error = new HubError(ending.code, ending.reason)
      const refused: EventDraft = { event: 'refused', data: endingOfError('failed', error, call).data }
      return [{ atMs: call.beginsMs, tell: () => store.log.record(record, [received, refused]) }]
    }
    const change = (event: EventDraft) => store.log.change({ call: record, events: [event as never] })
    return [
      { atMs: call.beginsMs, tell: () => store.log.record(record, [received, { event: 'accepted', data: {} }]) },
      ...attemptsMs.flatMap((atMs, index): Step[] => [
        ...(index === 0
          ? []
          : [
              {
                atMs: atMs - 900,
                tell: () =>
                  change({
                    event: 'retrying',
                    data: { attempt: index, delayMs: 900, reason: 'the agent closed the connection' },
                  }),
              },
            ]),
        {
          atMs,
          tell: () =>
            store.log.change({
              call: record,
              events: [{ event: 'started', data: { attempt: index + 1 } }],
              opensAttempt: true,
            }),
        },
      ]),
      ...progress.map(({ atMs, ...data }) => ({
        atMs,
        tell: () => change({ event: 'progress', data: { ...data, total: 100 } }),
      })),
      { atMs: call.endsMs, tell: () => change(toEvent(ending, call)) },
    ]
  }
}

function toEvent(ending: StoryEnding, call: StoryCall): EventDraft {
  if (ending.kind !== 'complete') {
    const { kind, code, reason } = ending
    return endingOfError(kind === 'refused' ? 'failed' : kind, new HubError(code, reason), call)
  }
  const { content = [{ type: 'text', text: 'done' }], result, isError = false } = ending
  const executionTimeMs = call.endsMs - call.beginsMs
  return {
    event: 'complete',
    data: { progress: 100, total: 100, content, isError, executionTimeMs, ...(result === undefined ? {} : { result }) },
  }
}
