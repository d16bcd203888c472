import { HubError, toErrorObject } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import type { Subscriptions } from '../connection/subscriptions.js'
import { ANSWER_TTL_MS, type Errand, type ErrandAnswer } from './errand.js'

/** Most errands that one dispatcher does at a time; the rest is left for others, and for later. */
const MAX_RUNNING = 32

/** What a dispatcher does errands with. */
export interface ErrandTakerOptions {
  /** Whether errands for this agent can be done here; others are left to others. */
  accepts(agent: string): boolean
  /** @throws HubError */
  perform(errand: Errand, signal: AbortSignal): Promise<unknown>
  /** Told of what no hub can be told any more. */
  onFailure(thrown: unknown): void
}

/** Takes errands of hubs until it is stopped; each is taken by one dispatcher alone. */
export interface ErrandTaker {
  /** Takes nothing new, gives up what is under way, and settles when all of it has been answered. */
  stop(): Promise<void>
}

/** Begins to take errands. @throws HubError HUB_UNAVAILABLE */
export async function takeErrands(
  link: RedisLink,
  subscriptions: Subscriptions,
  { accepts, perform, onFailure }: ErrandTakerOptions,
): Promise<ErrandTaker> {
  const { keys } = link
  /** What ends each errand that is under way. */
  const running = new Map<Promise<void>, AbortController>()
  let isStopping = false
  const take = async (errandId: string, patience: AbortController): Promise<void> => {
    // Whoever removes it has it.
    const text = await link.ask((client) => client.getdel(keys.errand(errandId)))
    if (text === null) return
    const errand = JSON.parse(text) as Errand
    const answer = await answerTo(errand, perform, patience)
    await link.ask((client) => client.set(keys.errandAnswer(errandId), JSON.stringify(answer), 'PX', ANSWER_TTL_MS))
    await link.ask((client) => client.publish(keys.errandReplyPrefix + errand.hubId, errandId))
  }
  const stopListening = await subscriptions.add(keys.errandChannel, (message) => {
    const [agent = '', errandId = ''] = message.split('/')
    if (running.size >= MAX_RUNNING || isStopping || !accepts(agent)) return
    const patience = new AbortController()
    const work = take(errandId, patience)
      .catch(onFailure)
      .finally(() => running.delete(work))
    running.set(work, patience)
  })
  return {
    async stop() {
      isStopping = true
      for (const patience of running.values()) patience.abort()
      await stopListening()
      await Promise.all(running.keys())
    },
  }
}

async function answerTo(
  errand: Errand,
  perform: ErrandTakerOptions['perform'],
  patience: AbortController,
): Promise<ErrandAnswer> {
  const timer = setTimeout(() => patience.abort(), errand.waitMs)
  try {
    return { result: await perform(errand, patience.signal) }
  } catch (thrown) {
    return { error: toErrorObject(HubError.from(thrown), '/') }
  } finally {
    clearTimeout(timer)
  }
}
