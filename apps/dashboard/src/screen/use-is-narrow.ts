import { useSyncExternalStore } from 'react'

/** The width up to which a screen is a phone's; the style sheets have the same. */
const query = globalThis.matchMedia?.('(max-width: 720px)')

/** Whether the screen is as narrow as a phone's. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
