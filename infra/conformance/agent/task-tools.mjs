import { setTimeout as delay } from 'node:timers/promises'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

const JOB_MS = 1000

/** @param {string} text */
const saying = (text) => ({ content: [{ type: 'text', text }] })
/** @param {string} message @param {string} name @param {string} type */
const asking = (message, name, type) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
})
/** @param {Record<string, { type: string }>} properties */
const objectOf = (properties) => ({ type: 'object', properties })

/**
 * Tools that the suite wants to see as tasks; the hub is configured to run all of them but the first from its queue.
 *
 * @type {readonly import('./agent.mjs').SuiteTool[]}
 */
export const TASK_TOOLS = [
  {
    listing: { name: 'greet', description: 'Greets', inputSchema: objectOf({ name: { type: 'string' } }) },
    run: ({ name }) => saying(`Hello, ${String(name)}!`),
  },
  {
    listing: {
      name: 'slow_compute',
      description: 'Takes its time',
      inputSchema: objectOf({ seconds: { type: 'number' }, label: { type: 'string' } }),
    },
    async run({ seconds = 0, label = '' }, { signal }) {
      await delay(Number(seconds) * 1000, undefined, { signal })
      return saying(`computed ${String(label)} in ${Number(seconds)} s`)
    },
  },
  {
    listing: { name: 'failing_job', description: 'Fails as a tool', inputSchema: objectOf({}) },
    async run(_args, { signal }) {
      await delay(JOB_MS, undefined, { signal })
      return { ...saying('The job failed.'), isError: true }
    },
  },
  {
    listing: { name: 'protocol_error_job', description: 'Breaks', inputSchema: objectOf({}) },
    run() {
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'The job broke.')
    },
  },
  {
    listing: {
      name: 'confirm_delete',
      description: 'Asks before it deletes',
      inputSchema: objectOf({ filename: { type: 'string' } }),
    },
    run({ filename }, { responses }) {
      if (responses.confirm === undefined) {
        const inputRequests = { confirm: asking(`Delete ${String(filename)}?`, 'confirm', 'boolean') }
        return { resultType: 'input_required', inputRequests }
      }
      return saying(
        responses.confirm.content?.confirm === true ? `deleted ${String(filename)}` : `kept ${String(filename)}`,
      )
    },
  },
  {
    listing: { name: 'test_tool_with_task', description: 'Asks for a name, then works', inputSchema: objectOf({}) },
    async run(_args, { responses, signal }) {
      if (responses.user_name === undefined) {
        const inputRequests = { user_name: asking('What is your name?', 'name', 'string') }
        return { resultType: 'input_required', inputRequests }
      }
      await delay(JOB_MS, undefined, { signal })
      return saying(`done for ${String(responses.user_name.content?.name)}`)
    },
  },
  {
    listing: { name: 'multi_input', description: 'Asks two things', inputSchema: objectOf({}) },
    run(_args, { responses }) {
      if (responses.first !== undefined && responses.second !== undefined) return saying('Both are answered.')
      const inputRequests = {
        first: asking('The first name?', 'name', 'string'),
        second: asking('The second name?', 'name', 'string'),
      }
      return { resultType: 'input_required', inputRequests }
    },
  },
]
