import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { findProcesses, signalProcess } from './process-table.js'

/** The variable in the environment of all that a command starts. */
export const RUN_MARK = 'SYNCETA_RUN'

/** Tells the processes of one run from all others, and those of one agent from those of another. */
export interface RunMark {
  /** Of the agent, the same after it was started anew. */
  readonly agent: string
  readonly run: string
}

const POLL_INTERVAL_MS = 50
const REMOVAL_PATIENCE_MS = 2_000

/** The mark of an agent that keeps its data in `dataDir`: one folder, one agent. */
export function agentMark(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
}

/** A mark for one more run of an agent. */
export function newRunMark(agent: string): RunMark {
  return { agent, run: randomUUID() }
}

/** A mark as the value of {@link RUN_MARK}. */
export function markOf({ agent, run }: RunMark): string {
  return `${agent}.${run}`
}

/**
 * Ends by force what an agent that was killed has left running, before a new one of the same folder takes calls: a suite must not
 * run twice at the same time only because its call is repeated.
 * @returns how many processes were found
 */
export async function endLeftovers(agent: string): Promise<number> {
  const isLeft = (variable: string) => variable.startsWith(`${RUN_MARK}=${agent}.`)
  const givenUpAt = performance.now() + REMOVAL_PATIENCE_MS
  const first = findProcesses(undefined, isLeft)
  for (let left = first; left.length > 0 && performance.now() < givenUpAt; ) {
    for (const { pid } of left) signalProcess(pid, 'SIGKILL')
    await delay(POLL_INTERVAL_MS)
    left = findProcesses(undefined, isLeft)
  }
  return first.length
}
