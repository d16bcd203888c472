import { createHmac } from 'node:crypto'
import { ProtocolError } from '@modelcontextprotocol/server'

const NO_ARGUMENTS = { type: 'object', properties: {} }
/** JSON-RPC code of MCP 2026-07-28 for a client that does not declare what a tool needs. */
const MISSING_CAPABILITY = -32021
const KEY = 'of this process of the test agent only'

/** @param {string} text */
const saying = (text) => ({ content: [{ type: 'text', text }] })
/** @param {string} name @param {string} message @param {object} property */
const form = (name, message, property) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [name]: property }, required: [name] },
  },
})
const sampling = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 100,
  },
}
const roots = { method: 'roots/list', params: {} }
const userName = form('name', 'What is your name?', { type: 'string' })
const confirmation = form('ok', 'Go on?', { type: 'boolean' })

/** @param {Record<string, object>} inputRequests @param {string} [requestState] */
const asking = (inputRequests, requestState) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
})

/** @param {object} state */
function seal(state) {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${createHmac('sha256', KEY).update(text).digest('base64url')}`
}

/** @param {string | undefined} sealed */
function unseal(sealed) {
  const [text = ''] = (sealed ?? '').split('.')
  return text !== '' && seal(JSON.parse(Buffer.from(text, 'base64url').toString())) === sealed
    ? JSON.parse(Buffer.from(text, 'base64url').toString())
    : undefined
}

/**
 * @param {string} name
 * @param {string} description
 * @param {import('./agent.mjs').SuiteTool['run']} run
 * @returns {import('./agent.mjs').SuiteTool}
 */
const tool = (name, description, run) => ({ listing: { name, description, inputSchema: NO_ARGUMENTS }, run })

/**
 * Tools that ask their caller something first.
 *
 * @type {readonly import('./agent.mjs').SuiteTool[]}
 */
export const INPUT_TOOLS = [
  tool('test_input_required_result_elicitation', 'Asks for a name', (_args, { responses }) =>
    responses.user_name === undefined
      ? asking({ user_name: userName })
      : saying(`Hello, ${String(responses.user_name.content?.name)}!`),
  ),
  tool('test_input_required_result_sampling', 'Asks a model', (_args, { responses }) =>
    responses.capital_question === undefined
      ? asking({ capital_question: sampling })
      : saying(`The model says: ${JSON.stringify(responses.capital_question)}`),
  ),
  tool('test_input_required_result_list_roots', 'Asks for the roots', (_args, { responses }) =>
    responses.client_roots === undefined
      ? asking({ client_roots: roots })
      : saying(`Roots: ${JSON.stringify(responses.client_roots)}`),
  ),
  tool('test_input_required_result_request_state', 'Keeps a state', (_args, { responses, requestState }) =>
    responses.confirm === undefined
      ? asking({ confirm: confirmation }, seal({ step: 1 }))
      : saying(unseal(requestState) === undefined ? 'state-lost' : 'state-ok'),
  ),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', (_args, { responses }) => {
    const wanted = { user_name: userName, greeting: sampling, client_roots: roots }
    const open = Object.keys(wanted).filter((name) => responses[name] === undefined)
    return open.length > 0 ? asking(wanted, seal({ wanted: open })) : saying('All three are answered.')
  }),
  tool('test_input_required_result_multi_round', 'Asks twice', (_args, { responses, requestState }) => {
    const { round } = unseal(requestState) ?? { round: 0 }
    if (round === 0) return asking({ step1: userName }, seal({ round: 1 }))
    if (round === 1) {
      const color = form('color', 'Which color?', { type: 'string' })
      return asking({ step2: color }, seal({ round: 2, name: responses.step1?.content?.name }))
    }
    return saying(`Both rounds are done: ${JSON.stringify(responses)}`)
  }),
  tool('test_input_required_result_tampered_state', 'Seals its state', (_args, { responses, requestState }) =>
    responses.confirm === undefined
      ? asking({ confirm: confirmation }, seal({ step: 1 }))
      : saying(unseal(requestState) === undefined ? 'state-lost' : 'state-ok'),
  ),
  tool('test_input_required_result_capabilities', 'Asks what it may ask', (_args, { capabilities, responses }) => {
    const wanted = {
      ...(capabilities.elicitation === undefined ? {} : { user_name: userName }),
      ...(capabilities.sampling === undefined ? {} : { capital_question: sampling }),
    }
    const isOpen = Object.keys(wanted).some((name) => responses[name] === undefined)
    return isOpen ? asking(wanted) : saying('Nothing more is to be asked.')
  }),
  tool('test_missing_capability', 'Needs sampling', (_args, { capabilities }) => {
    if (capabilities.sampling !== undefined) return saying('The caller has sampling.')
    const data = { requiredCapabilities: { sampling: {} } }
    throw new ProtocolError(MISSING_CAPABILITY, 'sampling is needed', data)
  }),
]
