import type { CallRequest } from '@synchub/core'
import type { HubContext } from '../hub-context.js'

/** Last event of the request's trace so far: read before the call exists, it is where the events of that call come after. */
export async function currentCursor(
  { principal, traceId }: Pick<CallRequest, 'principal' | 'traceId'>,
  { reader }: HubContext,
): Promise<string | null> {
  const head = await reader.head({ tenant: principal.tenant, owner: principal.subject, traceId })
  return head?.id ?? null
}
