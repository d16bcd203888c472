/**
 * The tools of the fleet, by the agent that has them: by every kind of connector, at once and out of the queue, safe to repeat and not.
 *
 * @typedef {object} FleetTool
 * @property {string} name
 * @property {'Native' | 'Stdio' | 'Service'} agent
 * @property {'direct' | 'queued'} mode
 * @property {boolean} safeToRepeat
 */

/** @type {readonly FleetTool[]} */
export const FLEET_TOOLS = [
  { name: 'native_once', agent: 'Native', mode: 'queued', safeToRepeat: false },
  { name: 'native_again', agent: 'Native', mode: 'queued', safeToRepeat: true },
  { name: 'native_direct_once', agent: 'Native', mode: 'direct', safeToRepeat: false },
  { name: 'native_direct_again', agent: 'Native', mode: 'direct', safeToRepeat: true },
  { name: 'stdio_once', agent: 'Stdio', mode: 'queued', safeToRepeat: false },
  { name: 'stdio_again', agent: 'Stdio', mode: 'queued', safeToRepeat: true },
  { name: 'service_once', agent: 'Service', mode: 'queued', safeToRepeat: false },
  { name: 'service_again', agent: 'Service', mode: 'queued', safeToRepeat: true },
  { name: 'service_direct_once', agent: 'Service', mode: 'direct', safeToRepeat: false },
]

/** @param {FleetTool['agent']} agent */
export function toolNamesOf(agent) {
  return FLEET_TOOLS.filter((tool) => tool.agent === agent).map(({ name }) => name)
}

/** The policies of an agent's tools as the configuration names them. @param {FleetTool['agent']} agent */
export function policiesOf(agent) {
  const own = FLEET_TOOLS.filter((tool) => tool.agent === agent)
  return Object.fromEntries(
    own.map(({ name, mode, safeToRepeat }) => [name, { mode, safeToRepeat, ...(safeToRepeat && { maxAttempts: 20 }) }]),
  )
}
