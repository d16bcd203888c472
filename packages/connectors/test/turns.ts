import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets so many turns of the event loop pass: a stretch that a busy machine makes longer for everybody in this process alike. */
export async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
}
