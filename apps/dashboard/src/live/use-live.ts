import { useEffect, useState, useSyncExternalStore } from 'react'
import { live } from './live-connection.js'
import type { LiveState } from './live-message.js'

/** How the connection to the hub stands. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(live.subscribeState, live.readState)
}

/**
 * The instant by this browser's clock, anew every so often while it matters.
 * @param intervalMs - undefined stands still
 */
export function useNow(intervalMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (intervalMs === undefined) return
    setNowMs(Date.now())
    const timer = setInterval(() => setNowMs(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return nowMs
}
