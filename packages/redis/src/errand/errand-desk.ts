import { randomUUID } from 'node:crypto'
import type { OfferRead, OfferReader } from '@synchub/core'
import {
  fromErrorObject,
  HubError,
  parseCompletion,
  parseFilledPrompt,
  parseInputRequired,
  parseResourceReading,
} from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import type { Subscriptions } from '../connection/subscriptions.js'
import type { Errand, ErrandAnswer } from './errand.js'
import { Wakeup } from './wakeup.js'

/** Pace at which an errand that nobody has taken is announced again, and an answer looked for whose word was lost. */
const LOOK_MS = 250

/** How an errand is given. */
export interface ErrandDeskOptions {
  readonly hubId: string
  /** How long a dispatcher may take to begin, in milliseconds. */
  readonly takeWithinMs: number
  /** How long the whole may take, in milliseconds. */
  readonly waitMs: number
}

/** Has dispatchers read what only they can reach. */
export interface ErrandDesk {
  /** Reads what this agent offers. @throws HubError AGENT_UNAVAILABLE also when no dispatcher takes the errand */
  readerOf(agent: string): OfferReader
  close(): Promise<void>
}

/** Opens the desk of one hub. @throws HubError HUB_UNAVAILABLE */
export async function openErrandDesk(
  link: RedisLink,
  subscriptions: Subscriptions,
  options: ErrandDeskOptions,
): Promise<ErrandDesk> {
  const waiting = new Map<string, Wakeup>()
  const stopListening = await subscriptions.add(link.keys.errandReplyPrefix + options.hubId, (errandId) =>
    waiting.get(errandId)?.wake(),
  )
  const send = async (agent: string, read: OfferRead, signal: AbortSignal): Promise<unknown> => {
    const errandId = randomUUID()
    const wakeup = new Wakeup()
    waiting.set(errandId, wakeup)
    const look = () => wakeup.wake()
    signal.addEventListener('abort', look, { once: true })
    try {
      const { hubId, waitMs } = options
      const answer = await awaitAnswer(link, {
        errandId,
        errand: { agent, read, hubId, waitMs },
        signal,
        wakeup,
        ...options,
      })
      if ('error' in answer) throw fromErrorObject(answer.error)
      return answer.result
    } finally {
      waiting.delete(errandId)
      signal.removeEventListener('abort', look)
    }
  }
  return {
    readerOf: (agent) => ({
      async readResource(query, signal) {
        const answer = await send(agent, { kind: 'resource', query }, signal)
        return parseInputRequired(answer) ?? parseResourceReading(answer)
      },
      async getPrompt(query, signal) {
        const answer = await send(agent, { kind: 'prompt', query }, signal)
        return parseInputRequired(answer) ?? parseFilledPrompt(answer)
      },
      async complete(query, signal) {
        const completion = await send(agent, { kind: 'completion', query }, signal)
        return parseCompletion({ completion })
      },
    }),
    close: stopListening,
  }
}

interface AwaitedErrand {
  readonly errandId: string
  readonly errand: Errand
  readonly takeWithinMs: number
  readonly waitMs: number
  readonly signal: AbortSignal
  /** Woken when there may be something to see. */
  readonly wakeup: Wakeup
}

/** Announces the errand until it is taken, and looks for its answer until it is there; both in vain have an end. */
async function awaitAnswer(
  link: RedisLink,
  { errandId, errand, wakeup, ...rest }: AwaitedErrand,
): Promise<ErrandAnswer> {
  const { keys } = link
  const { takeWithinMs, waitMs, signal } = rest
  const key = keys.errand(errandId)
  const begunAtMs = performance.now()
  await link.ask((client) => client.set(key, JSON.stringify(errand), 'PX', waitMs))
  for (let isTaken = false; ; ) {
    const text = await link.ask((client) => client.getdel(keys.errandAnswer(errandId)))
    if (text !== null) return JSON.parse(text) as ErrandAnswer
    const waitedMs = performance.now() - begunAtMs
    if (signal.aborted || waitedMs >= waitMs) {
      await link.ask((client) => client.del(key))
      throw new HubError('AGENT_UNAVAILABLE', 'the agent did not answer in time')
    }
    isTaken ||= (await link.ask((client) => client.exists(key))) === 0
    if (!isTaken && waitedMs >= takeWithinMs) {
      // Who withdraws it has it: nobody takes it after this.
      if ((await link.ask((client) => client.del(key))) === 1) throw notTaken(errand.agent, takeWithinMs)
      isTaken = true
    }
    if (!isTaken) await link.ask((client) => client.publish(keys.errandChannel, `${errand.agent}/${errandId}`))
    await wakeup.pause(LOOK_MS)
  }
}

function notTaken(agent: string, takeWithinMs: number): HubError {
  const reason = `no dispatcher took the request to ${agent}, which runs as a child process of one, within ${takeWithinMs} ms`
  return new HubError('AGENT_UNAVAILABLE', reason, {
    nextStep: 'Start a dispatcher, or wait until one has less to do, and ask again.',
  })
}
