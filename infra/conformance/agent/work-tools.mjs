import { setTimeout as delay } from 'node:timers/promises'

const NO_ARGUMENTS = { type: 'object', properties: {} }
const STEP_MS = 50

/**
 * Tools that take a while, or tell something while they work.
 *
 * @type {readonly import('./agent.mjs').SuiteTool[]}
 */
export const WORK_TOOLS = [
  // First in the list: the suite calls the first tool that it finds without arguments, to look at headers.
  {
    listing: { name: 'a_tool_without_arguments', description: 'Answers at once', inputSchema: NO_ARGUMENTS },
    run: () => ({ content: [{ type: 'text', text: 'Done.' }] }),
  },
  {
    listing: { name: 'test_tool_with_progress', description: 'Reports progress', inputSchema: NO_ARGUMENTS },
    async run(_args, { progress, signal }) {
      for (const step of [0, 50, 100]) {
        await progress({ progress: step, total: 100 })
        await delay(STEP_MS, undefined, { signal })
      }
      return { content: [{ type: 'text', text: 'All steps are done.' }] }
    },
  },
  {
    // What the suite reads are the hub's own messages about the call.
    listing: { name: 'test_tool_with_logging', description: 'Works for a moment', inputSchema: NO_ARGUMENTS },
    async run(_args, { signal }) {
      await delay(STEP_MS, undefined, { signal })
      return { content: [{ type: 'text', text: 'Done.' }] }
    },
  },
  {
    listing: { name: 'test_logging_tool', description: 'Would log if it were asked to', inputSchema: NO_ARGUMENTS },
    run: () => ({ content: [{ type: 'text', text: 'Done without a word in the log.' }] }),
  },
  {
    listing: { name: 'test_streaming_elicitation', description: 'Answers by itself', inputSchema: NO_ARGUMENTS },
    run: () => ({ content: [{ type: 'text', text: 'Nothing had to be asked.' }] }),
  },
]
