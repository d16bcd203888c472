/** How much stands in the queue of one agent, of all tenants together. */
export interface QueueView {
  readonly agent: string
  /** Calls that no dispatcher has taken yet. */
  readonly waiting: number
  /** Calls that a dispatcher works on. */
  readonly active: number
  /** Calls that wait for an instant before they may be taken. */
  readonly delayed: number
}

/** What `GET /queues` answers, by the names of the agents. */
export interface QueueList {
  readonly queues: readonly QueueView[]
}
