import { useInfiniteQuery } from '@tanstack/react-query'
import { hub } from '../../hub/hub-client.js'
import { useRefresh } from '../../live/use-refresh.js'
import type { DeadLetterWish } from './dead-letter-query.js'

const KEY = 'dead-letters'
const PAGE_CALLS = 50
/** Most often that the list is asked for anew, in ms. */
const INTERVAL_MS = 1500

/** The dead letters that are wished for, page by page, kept true while traces change. */
export function useDeadLetters({ isResolved, state, agent }: DeadLetterWish) {
  useRefresh(KEY, INTERVAL_MS)
  return useInfiniteQuery({
    queryKey: [KEY, isResolved, state, agent],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      hub.deadLetters(
        { resolved: isResolved, state, agent, limit: PAGE_CALLS, cursor: pageParam === '' ? undefined : pageParam },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
