const NO_ARGUMENTS = { type: 'object', properties: {} }
const OPTIONS = ['option1', 'option2', 'option3']

/** @param {string} prefix */
const titled = (prefix) =>
  ['One', 'Two', 'Three'].map((word, at) => ({ const: `value${at + 1}`, title: `${prefix} ${word}` }))

/**
 * A tool that asks once and says what was answered.
 *
 * @param {{ name: string, description: string, inputSchema?: object }} listing
 * @param {(args: Record<string, unknown>) => { method: string, params: object }} request
 * @returns {import('./agent.mjs').SuiteTool}
 */
function asking({ inputSchema = NO_ARGUMENTS, ...listing }, request) {
  return {
    listing: { ...listing, inputSchema },
    run(args, { responses }) {
      const { answer } = responses
      if (answer === undefined) return { resultType: 'input_required', inputRequests: { answer: request(args) } }
      return { content: [{ type: 'text', text: `Answered: ${JSON.stringify(answer)}` }] }
    },
  }
}

/** @param {string} message @param {Record<string, object>} properties @param {string[]} required */
function form(message, properties, required = []) {
  const requestedSchema = { type: 'object', properties, required }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/**
 * Tools of the older revision's scenarios: they ask for what the client is to answer while its request is open.
 *
 * @type {readonly import('./agent.mjs').SuiteTool[]}
 */
export const ELICITATION_TOOLS = [
  asking(
    {
      name: 'test_elicitation',
      description: 'Asks a person',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
    ({ message }) => {
      const text = { type: 'string', description: 'What the person says' }
      return form(String(message), { username: text, email: text }, ['username', 'email'])
    },
  ),
  asking(
    {
      name: 'test_sampling',
      description: 'Asks a model',
      inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    },
    ({ prompt }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
      return { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } }
    },
  ),
  asking({ name: 'test_elicitation_sep1034_defaults', description: 'Asks with defaults' }, () =>
    form('Please check your profile.', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  ),
  asking({ name: 'test_elicitation_sep1330_enums', description: 'Asks for choices' }, () =>
    form('Please choose.', {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    }),
  ),
]
