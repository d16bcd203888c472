import type { AgentPace } from '@synchub/client'
import { useQueries } from '@tanstack/react-query'
import { hub } from '../../hub/hub-client.js'
import { useRefresh } from '../../live/use-refresh.js'

/** Most often that the figures are made anew, in ms. */
const INTERVAL_MS = 3000
const KEY = 'pace'

/** The pace of each agent, kept true while traces change. */
export function useAgentPaces(names: readonly string[]): ReadonlyMap<string, AgentPace | undefined> {
  useRefresh(KEY, INTERVAL_MS)
  const results = useQueries({
    queries: names.map((agent) => ({
      queryKey: [KEY, agent],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => hub.pace(agent, { signal }),
    })),
  })
  return new Map(names.map((name, at) => [name, results[at]?.data]))
}
