import { mayCallTool } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { Deployment } from './deployment.js'
import type { PathMethod } from './path-method.js'

/** `tools/list` (S1.7): the public fields of the snapshot's tools that the caller may use, in one page. */
export function toolsList(deployment: Deployment): PathMethod {
  const { name } = deployment.path.agent
  return {
    name: 'tools/list',
    instance: () => '/tools/list',
    async handle({ cursor }, { principal }) {
      if (cursor !== undefined) {
        const place = { path: 'cursor', expected: 'no cursor: there is one page' }
        throw new HubError('INVALID_PARAMS', 'the cursor is not known; there is one page', place)
      }
      await deployment.firstLook
      const { available, reason = 'no reason is known' } = deployment.seen
      if (!available) throw new HubError('AGENT_UNAVAILABLE', `the tools of ${name} are not known: ${reason}`)
      return { result: { tools: deployment.tools.filter((tool) => mayCallTool(principal, name, tool.name)) } }
    },
  }
}
