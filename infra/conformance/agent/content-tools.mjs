import { readFileSync } from 'node:fs'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const NO_ARGUMENTS = { type: 'object', properties: {} }

/** @param {string} text */
const textOf = (text) => ({ type: 'text', text })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const mixed = {
  uri: 'test://mixed-content-resource',
  mimeType: 'application/json',
  text: '{"test":"data","value":123}',
}
const embedded = {
  uri: 'test://embedded-resource',
  mimeType: 'text/plain',
  text: 'This is an embedded resource content.',
}

/**
 * @param {string} name
 * @param {string} description
 * @param {readonly object[]} content
 * @returns {import('./agent.mjs').SuiteTool}
 */
function answering(name, description, content) {
  return { listing: { name, description, inputSchema: NO_ARGUMENTS }, run: () => ({ content }) }
}

/** The schema of the suite, word by word: what it looks for must come through the hub unchanged. */
const DRAFT_2020_12 = JSON.parse(readFileSync(new URL('./draft-2020-12.schema.json', import.meta.url), 'utf8'))

/**
 * Tools that answer at once, one for each kind of content.
 *
 * @type {readonly import('./agent.mjs').SuiteTool[]}
 */
export const CONTENT_TOOLS = [
  answering('test_simple_text', 'Answers text', [textOf('This is a simple text response for testing.')]),
  answering('test_image_content', 'Answers an image', [image]),
  answering('test_audio_content', 'Answers audio', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  answering('test_embedded_resource', 'Answers a resource', [{ type: 'resource', resource: embedded }]),
  answering('test_multiple_content_types', 'Answers text, an image and a resource', [
    textOf('Multiple content types test:'),
    image,
    { type: 'resource', resource: mixed },
  ]),
  {
    listing: { name: 'test_error_handling', description: 'Fails', inputSchema: NO_ARGUMENTS },
    run: () => ({ isError: true, content: [textOf('This tool intentionally returns an error for testing')] }),
  },
  {
    listing: {
      name: 'json_schema_2020_12_tool',
      description: 'Has a schema of draft 2020-12',
      inputSchema: DRAFT_2020_12,
    },
    run: () => ({ content: [textOf('The arguments keep the schema.')] }),
  },
  {
    listing: {
      name: 'test_header_parameter',
      description: 'Wants a parameter in a header',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    },
    run: ({ region }) => ({ content: [textOf(`region: ${String(region)}`)] }),
  },
]
