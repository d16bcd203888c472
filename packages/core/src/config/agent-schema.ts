import type { JsonObject } from '@synchub/protocol'
import { duration, NAME, textOrEnv } from './schema-parts.js'

const policyProperties = {
  mode: { enum: ['direct', 'queued'], description: 'Short tools direct, long ones queued; queued is the default' },
  silenceTimeoutMs: duration('Longest silence of the agent within an attempt'),
  maxDurationMs: duration('Longest attempt'),
  queueWaitMs: duration('Longest wait in the queue'),
  lateAnswerMs: duration('How long an answer is kept for look-ups that comes after the call was given up'),
  taskOnly: { type: 'boolean', description: 'Over MCP for clients that take tasks only; false by default' },
  asksFirst: { type: 'boolean', description: 'The agent asks its caller before it works; false by default' },
  safeToRepeat: { type: 'boolean', description: 'May be asked again when the outcome is not known; false by default' },
  maxAttempts: { type: 'integer', minimum: 1, maximum: 20, description: 'Most attempts of one call; 3 by default' },
  retryDelayMs: duration('Pause before the second attempt; doubles with each further one'),
}

// A NUL would end the text where the system reads it.
const NO_NUL = '^[^\\u0000]*$'

// Which of these belongs to which connector is checked in `agent-reach.ts`: a schema would say it in unclear words.
const reachProperties = {
  connector: {
    enum: ['native', 'mcp-http', 'mcp-stdio', 'tool-service'],
    default: 'native',
    description: 'How the hub reaches the agent: see docs/OPERATIONS.md, Connectors',
  },
  url: textOrEnv('Where the agent, its MCP endpoint or its tool service is reached', '^https?://'),
  secret: textOrEnv('Bearer secret for the agent; name an environment variable'),
  manifest: {
    type: 'string',
    minLength: 1,
    description: 'tool-service: list of its tools, a URL relative to "url", or file:<path>',
  },
  command: { type: 'string', minLength: 1, pattern: NO_NUL, description: 'mcp-stdio: program that is started' },
  args: { type: 'array', items: { type: 'string', pattern: NO_NUL }, description: 'mcp-stdio: its arguments' },
  env: {
    type: 'object',
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: textOrEnv('Value of the variable'),
    description: 'mcp-stdio: its environment, beside PATH, HOME, USER, LANG, LC_ALL, TZ and TMPDIR',
  },
  cwd: { type: 'string', minLength: 1, pattern: NO_NUL, description: 'mcp-stdio: its working directory' },
  sha256: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    description: 'mcp-stdio: files, and the SHA-256 (hex) that each must have before every start',
  },
}

const AGENT_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...reachProperties,
    trust: { enum: ['local', 'internal', 'external'], default: 'internal' },
    concurrency: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    delegates: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description:
        'Agents, or tools as Agent.tool, that it may call for its callers: see docs/OPERATIONS.md, Delegation',
    },
    ...policyProperties,
    tools: {
      type: 'object',
      default: {},
      additionalProperties: { type: 'object', additionalProperties: false, properties: policyProperties },
    },
  },
}

/** JSON Schema of the agents of `synchub.config.json`, by name. */
export const AGENTS_SCHEMA: JsonObject = {
  type: 'object',
  propertyNames: { pattern: NAME },
  additionalProperties: AGENT_SCHEMA,
}
