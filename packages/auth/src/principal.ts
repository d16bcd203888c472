/** Who acts: read from an API key or a run access token, or the one local principal of a hub without access control. */
export interface Principal {
  readonly tenant: string
  /** Owner of what this principal makes; several keys may share one subject. */
  readonly subject: string
  /** The caller agent that this principal is; `*` may call itself anything (local mode). */
  readonly agent: string
  readonly scopes: readonly string[]
  /** Present for an agent that acts while it works on a call: what bounds it beside its scopes. */
  readonly run?: RunBounds
}

/** The run of a call on whose behalf an agent acts. It sees nothing but its trace, and all that it makes hangs below its call. */
export interface RunBounds {
  readonly callId: string
  readonly attempt: number
  /** Tells that attempt from another of the same number, which a store gives that has lost the first; absent where there is none. */
  readonly fence?: string
  readonly traceId: string
  /**
   * What may be called, as `Agent` or `Agent.tool`: each list must name it. One list for every agent between the first caller and
   * this one, itself included, so that nobody gains by asking through another.
   */
  readonly within: readonly (readonly string[])[]
}

/** The principal of every request while access is `none`. */
export const LOCAL_PRINCIPAL: Principal = {
  tenant: 'local',
  subject: 'local',
  agent: '*',
  scopes: [
    'tools:call',
    'resources:read',
    'prompts:get',
    'traces:read:tenant',
    'calls:cancel:tenant',
    'calls:resolve:tenant',
    'queues:read',
  ],
}
