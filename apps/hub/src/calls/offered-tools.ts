import type { Principal } from '@synchub/auth'
import { type Catalogue, type HubConfig, listTools } from '@synchub/core'
import type { ListedTool } from '@synchub/protocol'

/** The tools that a principal may use, made once for each catalogue and principal: both are kept for many requests. */
export interface OfferedTools {
  listFor(principal: Principal): readonly ListedTool[]
}

/** Lists tools out of the catalogue as it stands. */
export function createOfferedTools(current: () => Catalogue, config: HubConfig): OfferedTools {
  const lists = new WeakMap<Catalogue, WeakMap<Principal, readonly ListedTool[]>>()
  return {
    listFor(principal) {
      const catalogue = current()
      const known = lists.get(catalogue) ?? new WeakMap<Principal, readonly ListedTool[]>()
      lists.set(catalogue, known)
      const list = known.get(principal) ?? listTools(catalogue, config, principal)
      known.set(principal, list)
      return list
    },
  }
}
