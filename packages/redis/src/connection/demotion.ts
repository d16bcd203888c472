/** Shortest pause between two times that a connection is given up for this, in ms: readers, whom a replica answers, are cut each time. */
const PAUSE_MS = 5000

/**
 * Decides on each refusal of a server whether to connect anew. A primary that is made a replica keeps its connections, so whoever
 * stayed on one would be refused for ever, while the address leads to the new primary long since.
 */
export function leaveReplica(onDemotion: () => void): (refusal: Error) => boolean {
  let leftAtMs = Number.NEGATIVE_INFINITY
  return ({ message }) => {
    const nowMs = performance.now()
    if (!message.startsWith('READONLY') || nowMs - leftAtMs < PAUSE_MS) return false
    leftAtMs = nowMs
    onDemotion()
    return true
  }
}
