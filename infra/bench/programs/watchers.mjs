// Watchers in a process of their own: they join, and tell how long the events that they read were under way.
import { answerQuestions } from '../load/answering.mjs'
import { StampReader } from '../load/stamps.mjs'
import { openWatcherSockets } from '../load/watcher-sockets.mjs'

const stamps = new StampReader()
/** @type {import('../load/watcher-sockets.mjs').WatcherSockets[]} */
const joined = []

/** @typedef {{ join?: { url: string, paths: readonly string[] }, leave?: boolean, read?: number }} Question */

answerQuestions(async (/** @type {Question} */ { join, leave, read }) => {
  if (join !== undefined) {
    const watchers = await openWatcherSockets({ ...join, onRead: (bytes) => stamps.read(bytes.toString('latin1')) })
    joined.push(watchers)
    return { joinMs: watchers.joinMs }
  }
  if (read !== undefined) return stamps.take(read)
  if (leave) for (const watchers of joined.splice(0)) watchers.close()
  return {}
})
process.send?.({ ready: true })
