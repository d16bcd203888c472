import type { InputRequests } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'

/** What an agent asks outside of any call. */
export interface HeldQuestion {
  readonly requests: InputRequests
  /** The agent's own state: comes back to it as it was. */
  readonly agentState?: string
}

/** What was asked of a caller outside of any call, until it is answered. */
export interface HeldQuestions {
  /** Keeps a question for a while. @param ticket - names it; nobody can guess it */
  hold(ticket: string, question: HeldQuestion, durationMs: number): Promise<void>
  /** The question, which stays held; null where none is. */
  find(ticket: string): Promise<HeldQuestion | null>
  /** Takes it out. @returns false for who comes second */
  take(ticket: string): Promise<boolean>
}

/** Questions over Redis, each under its own key. */
export function createHeldQuestions({ keys, ask }: RedisLink): HeldQuestions {
  return {
    async hold(ticket, question, durationMs) {
      await ask((client) => client.set(keys.question(ticket), JSON.stringify(question), 'PX', durationMs))
    },
    async find(ticket) {
      const text = await ask((client) => client.get(keys.question(ticket)))
      return text === null ? null : (JSON.parse(text) as HeldQuestion)
    },
    async take(ticket) {
      return (await ask((client) => client.del(keys.question(ticket)))) === 1
    },
  }
}
