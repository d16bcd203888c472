/** What a URI of the hub's own says. */
export interface TraceUri {
  /** Decoded; only what keeps the rule of traceIds can be one. */
  readonly traceId: string
  /** Chooses among the traces of several owners. */
  readonly owner: string | undefined
}

/** Whether a URI is one of the hub's own. */
export function isTraceUri(uri: string): boolean {
  return /^trace:\/\//i.test(uri)
}

/** Reads a URI of the form `trace://{traceId}{?owner}`: what is read and what is watched under it are the same. */
export function readTraceUri(uri: string): TraceUri {
  const [path = '', query = ''] = uri.slice('trace://'.length).split('?')
  return { traceId: decode(path), owner: new URLSearchParams(query).get('owner') ?? undefined }
}

/** What no URI can stand for names no trace. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
