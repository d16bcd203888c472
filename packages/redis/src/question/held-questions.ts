import type { JsonObject } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'

/** What was asked of a caller outside of any call, until it is answered. */
export interface HeldQuestions {
  /** Keeps a question for a while. @param ticket - names it; nobody can guess it */
  hold(ticket: string, question: JsonObject, durationMs: number): Promise<void>
  /** Takes it out: who comes second finds none. */
  take(ticket: string): Promise<JsonObject | null>
}

/** Questions over Redis, each under its own key. */
export function createHeldQuestions({ keys, ask }: RedisLink): HeldQuestions {
  return {
    async hold(ticket, question, durationMs) {
      await ask((client) => client.set(keys.question(ticket), JSON.stringify(question), 'PX', durationMs))
    },
    async take(ticket) {
      const text = await ask((client) => client.getdel(keys.question(ticket)))
      return text === null ? null : (JSON.parse(text) as JsonObject)
    },
  }
}
