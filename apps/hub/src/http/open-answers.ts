import type { RequestListener } from 'node:http'
import { closeIfLostInQueue } from './queued-answer.js'

/** The answers that a server has begun and not ended. */
export interface OpenAnswers {
  /** The listener whose answers are counted. */
  readonly listener: RequestListener
  /** Settles when none is open, at the latest after `patienceMs`. */
  settle(patienceMs: number): Promise<void>
}

/**
 * Counts the answers that are under way: a stopping hub cuts none of them short, and waits for no connection that has none,
 * such as those that browsers open in advance.
 */
export function countAnswers(listener: RequestListener): OpenAnswers {
  let open = 0
  let onIdle = () => {}
  return {
    listener(req, res) {
      open++
      // Emitted once; `once` would hold one more object for each of ten thousand streams.
      res.on('close', () => {
        open--
        if (open === 0) onIdle()
      })
      closeIfLostInQueue(req, res)
      listener(req, res)
    },
    async settle(patienceMs) {
      if (open === 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        onIdle = resolve
        timer = setTimeout(resolve, patienceMs)
      })
      clearTimeout(timer)
    },
  }
}
