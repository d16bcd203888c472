import type { Principal } from '@synchub/auth'

/**
 * What the caller of a call may do, as far as the agent that works on it can use it: kept in the record, since whoever runs the
 * call, or is asked by its agent, knows nothing else of the caller.
 */
export interface Grant {
  /** The caller's scopes for tools; none of those that open what others made. */
  readonly scopes: readonly string[]
  /** What bounded the caller itself, where it was an agent at work (`RunBounds.within`). */
  readonly within: readonly (readonly string[])[]
}

/** What of a principal goes to the agent that works for it, before the agent's own `delegates` narrow it further. */
export function grantOf({ scopes, run }: Principal): Grant {
  return { scopes: scopes.filter((scope) => /^tools:call(:|$)/.test(scope)), within: run?.within ?? [] }
}
