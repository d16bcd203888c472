import { setTimeout as delay } from 'node:timers/promises'
import { defineTool } from '../../../packages/agent-sdk/dist/index.js'
import { noteExecution } from './ledger.mjs'

/** What every tool of the fleet takes: the operation that it is for, and how much there is to do. */
export const WORK_SCHEMA = {
  type: 'object',
  required: ['order', 'steps', 'stepMs'],
  properties: { order: { type: 'integer' }, steps: { type: 'integer' }, stepMs: { type: 'integer' } },
}

/**
 * A tool that notes that it was executed, works in steps, and answers with the operation that it was for.
 *
 * @param {string} name
 * @param {string} ledger
 */
export function workingTool(name, ledger) {
  return defineTool({
    name,
    description: 'Works in steps and says how far it is',
    inputSchema: WORK_SCHEMA,
    streams: true,
    /** @param {{ order: number, steps: number, stepMs: number }} args */
    handler: async ({ order, steps, stepMs }, ctx) => {
      noteExecution(ledger, { order, tool: name, callId: ctx.callId, attempt: ctx.attempt })
      for (let step = 1; step <= steps; step++) {
        await delay(stepMs, undefined, { signal: ctx.signal })
        ctx.progress({ progress: step, total: steps, message: `step ${step}` })
      }
      return { structuredContent: { order } }
    },
  })
}
