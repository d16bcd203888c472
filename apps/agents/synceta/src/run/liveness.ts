/** A hub that hears nothing of a call takes its agent for dead after a while; this is well below any sensible limit. */
const INTERVAL_MS = 10_000

/** Waits for `work` and tells at intervals that it still goes on: one case may take minutes. */
export async function withSignsOfLife<T>(work: Promise<T>, tell: () => void, intervalMs = INTERVAL_MS): Promise<T> {
  const timer = setInterval(tell, intervalMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
