/**
 * Sends at an even pace, and makes up for what a late timer missed.
 *
 * @param {{ perSecond: number, durationMs: number, send: (n: number) => void }} options
 * @returns {Promise<number>} how many were sent
 */
export function sendAtPace({ perSecond, durationMs, send }) {
  const count = Math.floor((perSecond * durationMs) / 1000)
  const startedAt = performance.now()
  let sent = 0
  return new Promise((resolve) => {
    const tick = () => {
      const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1000))
      while (sent < due) send(sent++)
      if (sent < count) setTimeout(tick, 1)
      else resolve(count)
    }
    tick()
  })
}
