import type { Principal } from './principal.js'

/** Scopes that a principal may hold, in words; `<name>` stands for an agent or a tool, `<agent>` for an agent. */
export const SCOPES = {
  'tools:call': 'call every tool',
  'tools:call:<name>': 'call this tool, or every tool of this agent',
  'resources:read': 'see and read the resources of every agent',
  'resources:read:<agent>': 'see and read the resources of this agent',
  'prompts:get': 'see and use the prompts of every agent',
  'prompts:get:<agent>': 'see and use the prompts of this agent',
  'traces:read:tenant': 'see the calls and traces of the whole tenant, not only its own',
  'calls:cancel:tenant': 'cancel calls of the whole tenant, not only its own',
  'calls:resolve:tenant': 'say what became of dead letters of the whole tenant, not only of its own',
  'queues:read': 'see the queues of all agents, which all tenants share: how much waits, and the ids of calls',
} as const

const SCOPE =
  /^(tools:call(:[A-Za-z0-9._/-]{1,128})?|(resources:read|prompts:get)(:[A-Za-z0-9_-]{1,64})?|traces:read:tenant|calls:cancel:tenant|calls:resolve:tenant|queues:read)$/

/** Whether `value` is a scope that exists. */
export function isScope(value: string): boolean {
  return SCOPE.test(value)
}

/** Whether the principal may call this tool of this agent. */
export function mayCallTool(principal: Principal, agent: string, tool: string): boolean {
  const { scopes, run } = principal
  if (run?.within.every((names) => names.includes(agent) || names.includes(`${agent}.${tool}`)) === false) return false
  return (
    scopes.includes('tools:call') || scopes.includes(`tools:call:${tool}`) || scopes.includes(`tools:call:${agent}`)
  )
}

/** Whether the principal may see and read the resources of this agent. To call its tools is another consent (S4.2). */
export function mayReadResources(principal: Principal, agent: string): boolean {
  const { scopes } = principal
  if (!isWithin(principal, agent)) return false
  return scopes.includes('resources:read') || scopes.includes(`resources:read:${agent}`)
}

/** Whether the principal may see and use the prompts of this agent. */
export function mayGetPrompts(principal: Principal, agent: string): boolean {
  const { scopes } = principal
  if (!isWithin(principal, agent)) return false
  return scopes.includes('prompts:get') || scopes.includes(`prompts:get:${agent}`)
}

/** An agent at work reaches beyond tools only where the whole agent is named to it. */
function isWithin({ run }: Principal, agent: string): boolean {
  return run === undefined || run.within.every((names) => names.includes(agent))
}

/** Whether the principal may see what `owner` of the same tenant made. Other tenants are never asked about. */
export function mayRead(principal: Principal, owner: string): boolean {
  return principal.subject === owner || principal.scopes.includes('traces:read:tenant')
}

/** Whether the principal may cancel the calls of `owner` of the same tenant. */
export function mayCancel(principal: Principal, owner: string): boolean {
  return principal.subject === owner || principal.scopes.includes('calls:cancel:tenant')
}

/** Whether the principal may resolve the calls of `owner` of the same tenant. That is for people: no agent at work ever may. */
export function mayResolve({ run, scopes, subject }: Principal, owner: string): boolean {
  return run === undefined && (subject === owner || scopes.includes('calls:resolve:tenant'))
}

/** Whether the principal may see the queues of all agents. They hold the calls of every tenant, so no agent at work ever may. */
export function mayReadQueues({ run, scopes }: Principal): boolean {
  return run === undefined && scopes.includes('queues:read')
}
