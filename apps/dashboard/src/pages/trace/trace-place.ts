import { useCallback, useMemo } from 'react'
import { useParams, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** What of a trace a link points to. */
export interface TracePlace {
  readonly traceId: string
  readonly owner: string | undefined
  readonly callId: string | undefined
  /** Number of an event. */
  readonly seq: number | undefined
}

/** A change of the place; undefined takes a part away. */
export type PlaceChange = { readonly call?: string | undefined; readonly event?: number | undefined }

/** The place that the URL names, and a way to go to another one. */
export function useTracePlace(): readonly [TracePlace, (change: PlaceChange) => void] {
  const { traceId } = useParams<{ traceId: string }>()
  const search = useSearch()
  const place = useMemo(() => {
    const params = new URLSearchParams(search)
    const event = Number(params.get('event') ?? Number.NaN)
    return {
      // The router has decoded it already, but for what may have a meaning in an address: of a trace's id, that is the colon.
      traceId: traceId.replaceAll(/%3A/gi, ':'),
      owner: params.get('owner') ?? undefined,
      callId: params.get('call') ?? undefined,
      seq: Number.isInteger(event) ? event : undefined,
    }
  }, [traceId, search])
  const go = useCallback((change: PlaceChange) => {
    const url = new URL(globalThis.location.href)
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, String(value))
    }
    navigate(url.pathname + url.search, { replace: true })
  }, [])
  return [place, go]
}
