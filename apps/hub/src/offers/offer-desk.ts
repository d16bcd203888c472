import type { AgentConnections } from '@synchub/connectors'
import { type Clock, guardReader, type HubConfig, type OfferReader, type StopSignal } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { type ErrandDesk, openErrandDesk, type Store } from '@synchub/redis'

/** How long a dispatcher may take to begin with a read, in milliseconds. */
const TAKE_WITHIN_MS = 3_000

/** Reads what agents offer beside their tools. */
export interface OfferDesk {
  /**
   * Does one read of this agent.
   * @param gone - aborts when nobody waits for the answer any more
   * @throws HubError of the reader; AGENT_UNAVAILABLE when the answer does not come within the hub's wait
   */
  read<Answer>(
    agent: string,
    gone: StopSignal,
    work: (reader: OfferReader, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>
  close(): Promise<void>
}

/** What the desk works with. */
export interface OfferDeskOptions {
  readonly config: HubConfig
  readonly clock: Clock
  readonly hubId: string
  readonly store: Store
  readonly connections: AgentConnections
}

/** Opens the desk of one hub: it asks agents itself, and has a dispatcher ask those that only run as its child processes. */
export async function openOfferDesk(options: OfferDeskOptions): Promise<OfferDesk> {
  const { config, clock, hubId, store, connections } = options
  const { defaultWaitMs: waitMs } = config.limits
  const errands: ErrandDesk = await openErrandDesk(store.link, store.subscriptions, {
    hubId,
    // Who waits shortly learns the reason too.
    takeWithinMs: Math.min(TAKE_WITHIN_MS, waitMs / 2),
    waitMs,
  })
  const readerOf = (name: string): OfferReader => {
    const [agent, connection] = [config.agents.get(name), connections.get(name)]
    if (agent === undefined) throw new HubError('INTERNAL_ERROR', `there is no agent ${name}`)
    return connection === undefined ? errands.readerOf(name) : guardReader(connection.offers, agent)
  }
  return {
    async read(agent, gone, work) {
      const patience = new AbortController()
      const stop = () => patience.abort()
      const callOff = clock.schedule(waitMs, stop)
      gone.addEventListener('abort', stop, { once: true })
      if (gone.aborted) stop()
      try {
        return await work(readerOf(agent), patience.signal)
      } finally {
        callOff()
        gone.removeEventListener('abort', stop)
      }
    },
    close: () => errands.close(),
  }
}
