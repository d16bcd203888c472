import type { TraceState } from '@synchub/protocol'
import { InvalidArgumentError } from 'commander'

/**
 * Makes the reader of an option that takes states of traces, separated by commas; given again, it adds to them.
 * The reader throws InvalidArgumentError.
 */
export function parseStatesOf(known: readonly TraceState[]) {
  return (text: string, before: readonly TraceState[] = []): readonly TraceState[] => {
    const states = text.split(',').map((name) => {
      const state = known.find((each) => each === name.trim())
      if (state === undefined) throw new InvalidArgumentError(`Known states: ${known.join(', ')}.`)
      return state
    })
    return [...before, ...states]
  }
}
