import type { Principal } from '@synchub/auth'
import { listPrompts, listResources, listResourceTemplates, listTools } from '@synchub/core'
import type { HubContext } from '../../hub-context.js'
import type { ListKind } from './listened-kinds.js'

/** The notification of each kind. */
const NOTIFICATION_OF: Readonly<Record<ListKind, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
}

/**
 * Tells which lists have changed as one principal sees them: what it may not use does not concern it (invariant 8).
 * @returns how to stop
 */
export function watchLists(
  kinds: readonly ListKind[],
  principal: Principal,
  context: HubContext,
  tell: (method: string) => void,
): () => void {
  if (kinds.length === 0) return () => undefined
  const seen = new Map(kinds.map((kind) => [kind, printOf(kind, principal, context)]))
  return context.catalogue.onChange(() => {
    for (const kind of kinds) {
      const print = printOf(kind, principal, context)
      if (seen.get(kind) === print) continue
      seen.set(kind, print)
      tell(NOTIFICATION_OF[kind])
    }
  })
}

function printOf(kind: ListKind, principal: Principal, { catalogue, config }: HubContext): string {
  const current = catalogue.current()
  switch (kind) {
    case 'toolsListChanged':
      return JSON.stringify(listTools(current, config, principal))
    case 'promptsListChanged':
      return JSON.stringify(listPrompts(current, config, principal))
    case 'resourcesListChanged':
      return JSON.stringify([
        listResources(current, config, principal),
        listResourceTemplates(current, config, principal),
      ])
  }
}
