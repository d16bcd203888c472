import process from 'node:process'

/** Ctrl-C, as commands hear of it. */
export interface Interrupts {
  /** Calls `listener` for each Ctrl-C until the returned function is called; meanwhile the process does not end by it. */
  listen(listener: () => void): () => void
}

/** The interrupts of this process. */
export const processInterrupts: Interrupts = {
  listen(listener) {
    process.on('SIGINT', listener)
    return () => void process.off('SIGINT', listener)
  },
}
