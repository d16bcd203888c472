/** Who acts: read from an API key, or the one local principal of a hub without access control. */
export interface Principal {
  readonly tenant: string
  /** Owner of what this principal makes; several keys may share one subject. */
  readonly subject: string
  /** The caller agent that this principal is; `*` may call itself anything (local mode). */
  readonly agent: string
  readonly scopes: readonly string[]
}

/** The principal of every request while access is `none`. */
export const LOCAL_PRINCIPAL: Principal = {
  tenant: 'local',
  subject: 'local',
  agent: '*',
  scopes: ['tools:call', 'resources:read', 'prompts:get', 'traces:read:tenant', 'calls:cancel:tenant'],
}
