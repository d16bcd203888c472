import pLimit from 'p-limit'
import type { SuiteDefinition } from '../configuration/definition.js'

type Queue = <T>(work: () => Promise<T>) => Promise<T>

/** Only so many runs at a time, and of one command only one: two in one folder would spoil each other's files. The others wait. */
export class RunPlaces {
  readonly #places: Queue
  readonly #turns = new Map<string, Queue>()

  constructor(count: number) {
    this.#places = pLimit(count)
  }

  /**
   * Runs a suite once there is a place for it.
   * @throws the signal's reason at once when it is aborted while waiting; a run that has begun sees to its own end
   */
  async take<T>(suite: SuiteDefinition, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal.reason as Error)
      signal.addEventListener('abort', leave, { once: true })
      const begin = async () => {
        signal.removeEventListener('abort', leave)
        signal.throwIfAborted()
        return run()
      }
      this.#turnOf(suite)(() => this.#places(begin)).then(resolve, reject)
    })
  }

  #turnOf({ kind, name }: SuiteDefinition): Queue {
    if (kind === 'fixtures') return async (work) => work()
    const turn = this.#turns.get(name) ?? pLimit(1)
    this.#turns.set(name, turn)
    return turn
  }
}
