import type { Clock, TraceRef } from '@synchub/core'
import { type AgentPace, type CallEnding, isBadEnding } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import { badField, dayOf, daysTold, paceOf, sizeField } from './agent-pace.js'

/** A run that ended, whoever asked for it. */
export interface EndedRun {
  readonly agent: string
  readonly trace: TraceRef
  readonly ending: CallEnding
  /** From the start of its last attempt to its end. */
  readonly ranMs: number
}

/** How agents work: the runs of a day, counted by their agent, hour and duration, for each owner and for its tenant. */
export interface AgentPaces {
  /** Counts a run that was not cancelled; written with others that end about now. */
  count(run: EndedRun): void
  /** The pace of an agent over the runs of an owner, or of a whole tenant. @throws HubError HUB_UNAVAILABLE */
  read(agent: string, whose: { readonly tenant: string; readonly owner?: string }): Promise<AgentPace>
  /** Writes what is counted. */
  close(): Promise<void>
}

/** How long counts are gathered before they are written: what a process loses that is killed, in ms. */
const GATHER_MS = 1000
/** Counts are kept a day longer than they are told, in s. */
const KEPT_S = 3 * 86_400

/** The paces over Redis: the runs of a second cost a few commands, however many they are. */
export function openAgentPaces(link: RedisLink, clock: Clock, onFailure: (thrown: unknown) => void): AgentPaces {
  let gathered = new Map<string, Map<string, number>>()
  let callOff: (() => void) | undefined

  const add = (key: string, field: string) => {
    const counts = gathered.get(key) ?? new Map<string, number>()
    gathered.set(key, counts.set(field, (counts.get(field) ?? 0) + 1))
  }

  const write = async () => {
    callOff?.()
    callOff = undefined
    const counted = gathered
    gathered = new Map()
    try {
      await link.ask((client) =>
        Promise.all(
          [...counted].flatMap(([key, counts]) => [
            ...[...counts].map(([field, count]) => client.hincrby(key, field, count)),
            client.expire(key, KEPT_S),
          ]),
        ),
      )
    } catch (thrown) {
      // Not tried again: what of it was written is not known, and figures that are too small mislead nobody for long.
      onFailure(thrown)
    }
  }

  return {
    count({ agent, trace: { tenant, owner }, ending, ranMs }) {
      // How long it would have taken nobody knows.
      if (ending === 'cancelled') return
      const nowMs = clock.now()
      for (const key of [
        link.keys.pace(dayOf(nowMs), agent, tenant),
        link.keys.pace(dayOf(nowMs), agent, tenant, owner),
      ]) {
        add(key, sizeField(nowMs, ranMs))
        if (isBadEnding(ending)) add(key, badField(nowMs))
      }
      callOff ??= clock.schedule(GATHER_MS, () => void write())
    },
    async read(agent, { tenant, owner }) {
      const nowMs = clock.now()
      const days = await Promise.all(
        daysTold(nowMs).map((day) => link.ask((client) => client.hgetall(link.keys.pace(day, agent, tenant, owner)))),
      )
      return paceOf(days.flatMap(Object.entries<string>), nowMs)
    },
    close: write,
  }
}
