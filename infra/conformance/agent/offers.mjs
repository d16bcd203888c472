import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** What the agent has beside its tools. */
export const OFFER_CAPABILITIES = { resources: {}, prompts: {}, completions: {} }

const RESOURCES = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that stays as it is.',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'Static image',
    description: 'An image that stays as it is.',
    mimeType: 'image/png',
    blob: PIXEL,
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A text to be told of.',
    mimeType: 'text/plain',
    text: 'Nothing has happened yet.',
  },
]

const TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'Data by id',
  description: 'What is known under an id.',
  mimeType: 'application/json',
}

/** @param {string} name */
const argument = (name) => ({ name, description: `The argument ${name}`, required: true })
/** @param {...unknown} contents */
const messagesOf = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) })
/** @param {string} text */
const textOf = (text) => ({ type: 'text', text })

/** @typedef {import('@modelcontextprotocol/server').GetPromptResult} Filled */

/** @type {readonly { listing: import('@modelcontextprotocol/server').Prompt, write(args: Record<string, string>): object }[]} */
const PROMPTS = [
  {
    listing: { name: 'test_simple_prompt', description: 'Says one thing.' },
    write: () => messagesOf(textOf('This is a simple prompt for testing.')),
  },
  {
    listing: {
      name: 'test_prompt_with_arguments',
      description: 'Says what it is given.',
      arguments: [argument('arg1'), argument('arg2')],
    },
    write: ({ arg1, arg2 }) => messagesOf(textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    listing: {
      name: 'test_prompt_with_embedded_resource',
      description: 'Brings a resource along.',
      arguments: [argument('resourceUri')],
    },
    write: ({ resourceUri: uri }) =>
      messagesOf(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
        textOf('Please process the embedded resource above.'),
      ),
  },
  {
    listing: { name: 'test_prompt_with_image', description: 'Brings an image along.' },
    write: () =>
      messagesOf({ type: 'image', data: PIXEL, mimeType: 'image/png' }, textOf('Please analyze the image above.')),
  },
]

const ASKING_PROMPT = {
  name: 'test_input_required_result_prompt',
  description: 'Asks for a name before it is written.',
}

/** @param {import('./agent.mjs').Responses} responses */
function writeAsked(responses) {
  if (responses.user_context !== undefined) {
    return messagesOf(textOf(`Context: ${JSON.stringify(responses.user_context.content)}`))
  }
  const requestedSchema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] }
  const params = { mode: 'form', message: 'What context should the prompt use?', requestedSchema }
  const inputRequests = { user_context: { method: 'elicitation/create', params } }
  return { resultType: 'input_required', inputRequests, requestState: 'of the prompt' }
}

/**
 * Serves them.
 *
 * @param {import('@modelcontextprotocol/server').Server} server
 */
export function serveOffers(server) {
  server.setRequestHandler('resources/list', async () => ({
    resources: RESOURCES.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({ contents: [contentOf(uri)] }))
  server.setRequestHandler('prompts/list', async () => ({
    prompts: [...PROMPTS.map(({ listing }) => listing), ASKING_PROMPT],
  }))
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    if (name === ASKING_PROMPT.name) {
      const responses = /** @type {import('./agent.mjs').Responses} */ (mcpReq.inputResponses ?? {})
      return /** @type {Filled} */ (writeAsked(responses))
    }
    const prompt = PROMPTS.find(({ listing }) => listing.name === name)
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`)
    return /** @type {Filled} */ (prompt.write(args))
  })
  server.setRequestHandler(
    'completion/complete',
    async ({
      params: {
        argument: { value },
      },
    }) => {
      const values = ['paris', 'park', 'party'].filter((known) => known.startsWith(value))
      return { completion: { values, total: values.length, hasMore: false } }
    },
  )
}

/** @param {string} uri */
function contentOf(uri) {
  const resource = RESOURCES.find((known) => known.uri === uri)
  if (resource !== undefined) {
    const { mimeType, text, blob } = resource
    return text === undefined ? { uri, mimeType, blob: blob ?? '' } : { uri, mimeType, text }
  }
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id === undefined) throw new ResourceNotFoundError(uri)
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { uri, mimeType: 'application/json', text }
}
