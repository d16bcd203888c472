import { isToolName } from '@synchub/protocol'
import { ConfigError } from './config-error.js'
import type { AgentConfig } from './hub-config.js'

type Agents = ReadonlyMap<string, AgentConfig>

/**
 * Checks what agents may call for their callers: that it exists, that the connector carries an access token, and that nothing can
 * wait for itself.
 * @throws ConfigError naming the place
 */
export function checkDelegates(agents: Agents, file: string): void {
  for (const { name, connector, delegates = [] } of agents.values()) {
    const place = `agents.${name}.delegates`
    if (delegates.length > 0 && connector === 'tool-service') {
      throw new ConfigError(file, place, 'is no setting of the connector "tool-service", which carries no access token')
    }
    for (const [at, delegate] of delegates.entries()) {
      if (!isNamed(delegate, agents)) {
        const expectation = `is "${delegate}"; it must be an agent of this configuration, or a tool of one as Agent.tool`
        throw new ConfigError(file, `${place}.${at}`, expectation)
      }
      if (!mayWaitForItself(name, delegate, agents)) continue
      const circle = `is "${delegate}", whose calls lead back to ${name}: calls that wait for each other in queues may never end`
      throw new ConfigError(file, `${place}.${at}`, circle)
    }
  }
}

/** By the agent and its tool: a bare name would mean whatever agent happens to offer a tool of that name. */
function isNamed(delegate: string, agents: Agents): boolean {
  const agent = agentNameOf(delegate)
  return agents.has(agent) && (delegate === agent || isToolName(delegate.slice(agent.length + 1)))
}

/**
 * Whether a call of `name` may come to wait for a place in a queue that a call above it holds: then a circle of agents, one of them
 * queued, has as many places as callers, and each call waits until its deadline. Direct calls hold no place; those only have a depth.
 */
function mayWaitForItself(name: string, delegate: string, agents: Agents): boolean {
  const circle = circleOf(name, delegate, agents)
  return circle.some((member) => {
    const agent = agents.get(member)
    return agent !== undefined && [agent.policy, ...agent.tools.values()].some(({ mode }) => mode === 'queued')
  })
}

/** Agents that lie on any way from `delegate` back to `name`; none where there is no such way. */
function circleOf(name: string, delegate: string, agents: Agents): readonly string[] {
  const below = reachedFrom(agentNameOf(delegate), agents)
  return [...below].filter((member) => reachedFrom(member, agents).has(name))
}

/** The agent itself, and all that it may come to call through others. */
function reachedFrom(name: string, agents: Agents): ReadonlySet<string> {
  const reached = new Set([name])
  for (const member of reached) {
    for (const delegate of agents.get(member)?.delegates ?? []) reached.add(agentNameOf(delegate))
  }
  return reached
}

function agentNameOf(delegate: string): string {
  const dot = delegate.indexOf('.')
  return dot === -1 ? delegate : delegate.slice(0, dot)
}
