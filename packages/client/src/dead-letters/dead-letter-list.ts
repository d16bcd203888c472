import { type DeadLetterView, isJsonObject, type Page } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeQuery } from '../connection/path.js'

/** Which dead letters to list, the last that ended first. */
export interface DeadLetterFilter {
  /** Those of which somebody has said what became of them; by default those that still wait for a person. */
  readonly resolved?: boolean | undefined
  readonly state?: 'unknown' | 'failed' | undefined
  readonly agent?: string | undefined
  readonly tool?: string | undefined
  readonly caller?: string | undefined
  /** Only those of this owner; by default all that the caller may see. */
  readonly owner?: string | undefined
  /** Ended at or after, and before, these instants (ISO 8601). */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Most calls on one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

/** One page of dead letters (`GET /dead-letters`). */
export async function listDeadLetters(
  connection: HubConnection,
  filter: DeadLetterFilter,
  signal?: AbortSignal,
): Promise<Page<DeadLetterView>> {
  const { resolved, state, agent, tool, caller, owner, from, to, limit, cursor } = filter
  const only = resolved === true ? 1 : undefined
  const query = encodeQuery({ resolved: only, state, agent, tool, caller, owner, from, to, limit, cursor })
  const page = await connection.json({ method: 'GET', path: `/dead-letters${query}`, signal })
  if (isPage(page)) return page
  throw notOurHub(connection.baseUrl, 'answered /dead-letters with something that is no page')
}

function isPage(value: unknown): value is Page<DeadLetterView> {
  return isJsonObject(value) && Array.isArray(value.items)
}
