import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { hub } from '../../hub/hub-client.js'
import { live } from '../../live/live-connection.js'
import { TraceList, type TraceListView } from './trace-list.js'
import { readWish } from './trace-query.js'

/** The list of the traces that the URL's parameters ask for, live. */
export function useTraceList(search: string): { readonly list: TraceList; readonly view: TraceListView } {
  const list = useMemo(() => new TraceList(hub, readWish(new URLSearchParams(search))), [search])
  useEffect(() => {
    void list.loadMore()
    const stop = live.listen({
      onChanges: (changes) => list.applyChanges(changes),
      onResync: () => list.askForNews(),
    })
    return stop
  }, [list])
  return { list, view: useSyncExternalStore(list.subscribe, list.read) }
}
