import type { TraceReader } from '../../src/index.js'

type Question = 'head' | 'snapshot'

/** A real reader whose answers can be held back, to put a race exactly where it hurts. */
export interface HeldReader extends TraceReader {
  /** Holds the answer to the next question of this kind; settles once Redis has given it. */
  hold(question: Question): { readonly answered: Promise<void>; release(): void }
  /** Lets the next question of this kind fail. */
  failNext(question: Question, failure: Error): void
}

/** Puts a gate behind a reader. */
export function holdReader(reader: TraceReader): HeldReader {
  const gates = new Map<Question, () => Promise<void>>()
  const pass = async <T>(question: Question, answer: Promise<T>): Promise<T> => {
    const gate = gates.get(question)
    gates.delete(question)
    const result = await answer
    await gate?.()
    return result
  }
  return {
    ...reader,
    head: (trace) => pass('head', reader.head(trace)),
    snapshot: (trace) => pass('snapshot', reader.snapshot(trace)),
    hold(question) {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const answered = new Promise<void>((resolve) => {
        gates.set(question, () => {
          resolve()
          return released
        })
      })
      return { answered, release }
    },
    failNext(question, failure) {
      gates.set(question, () => Promise.reject(failure))
    },
  }
}
