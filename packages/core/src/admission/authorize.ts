import { mayCallTool } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { ResolvedTool } from '../catalogue/resolve-tool.js'
import type { NamedTool } from '../catalogue/tool-name.js'
import type { CallRequest } from './call-request.js'

/**
 * The caller as the principal may call itself (S0.2).
 * @throws HubError FORBIDDEN when `_meta.callerAgent` names another agent than the principal's
 */
export function authorizeCaller({ principal, callerAgent }: CallRequest): string {
  if (principal.agent === '*') return callerAgent ?? 'anonymous'
  if (callerAgent !== undefined && callerAgent !== principal.agent) {
    const shown = principal.run === undefined ? 'API key' : 'run access token'
    throw new HubError('FORBIDDEN', `_meta.callerAgent is ${callerAgent}, but the ${shown} is that of another agent`, {
      nextStep: `Leave _meta.callerAgent away, or send the name of the agent that holds the ${shown}.`,
    })
  }
  return principal.agent
}

/**
 * The principal may call the tool. A name that stands for no tool is judged by itself, and a refusal says only what the name
 * says, so that it does not tell which tools exist.
 * @throws HubError FORBIDDEN naming the scope that is missing
 */
export function authorizeTool(
  { principal, name }: CallRequest,
  { agentName = '', toolName }: NamedTool,
  tool: ResolvedTool | undefined,
): void {
  if (mayCallTool(principal, tool?.agent.name ?? agentName, tool?.name ?? toolName)) return
  if (principal.run !== undefined) {
    const reason = `${principal.agent} may not call ${name} for its caller: one of the two, or an agent between them, may not`
    throw new HubError('FORBIDDEN', reason, {
      nextStep: `See that there is a tool ${name}, that "delegates" of ${principal.agent} name it, and that its caller may call it.`,
    })
  }
  const scope = `tools:call:${toolName}`
  throw new HubError('FORBIDDEN', `the API key has no scope for the tool ${name}: it needs ${scope}`, { scope })
}
