import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { live } from './live-connection.js'

/**
 * Asks again for what a query's key names, while traces change.
 * @param intervalMs - most often that it is asked for
 */
export function useRefresh(key: string, intervalMs: number): void {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: [key] })
      }, intervalMs)
    }
    const stop = live.listen({ onChanges: refresh, onResync: refresh })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [queries, key, intervalMs])
}
