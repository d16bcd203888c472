import { isScope } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'

const HOUR_MS = 3_600_000
const NAME = '^[A-Za-z0-9_-]{1,64}$'

const duration = (description: string, defaultMs?: number, maximum = 24 * HOUR_MS) => ({
  type: 'integer',
  minimum: 10,
  maximum,
  description: `${description}, in ms`,
  ...(defaultMs === undefined ? {} : { default: defaultMs }),
})

// One schema for both, not `oneOf`: each keyword looks at its own type only, and an error then names the very place.
const textOrEnv = (description: string, pattern?: string) => ({
  description,
  type: ['string', 'object'],
  ...(pattern === undefined ? { minLength: 1 } : { pattern }),
  required: ['env'],
  additionalProperties: false,
  properties: {
    env: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', description: 'Environment variable that holds the value' },
    default: { type: 'string', description: 'Value where the variable is not set' },
  },
})

const policyProperties = {
  mode: { enum: ['direct', 'queued'], description: 'Short tools direct, long ones queued; queued is the default' },
  silenceTimeoutMs: duration('Longest silence of the agent within an attempt'),
  maxDurationMs: duration('Longest attempt'),
  queueWaitMs: duration('Longest wait in the queue'),
  safeToRepeat: { type: 'boolean', description: 'May be asked again when the outcome is not known; false by default' },
  maxAttempts: { type: 'integer', minimum: 1, maximum: 20, description: 'Most attempts of one call; 3 by default' },
  retryDelayMs: duration('Pause before the second attempt; doubles with each further one'),
}

const key = {
  type: 'object',
  required: ['name', 'sha256', 'tenant', 'agent', 'scopes'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: NAME, description: 'What people call this key' },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the key, hex (synchub keys new)' },
    tenant: { type: 'string', pattern: NAME },
    subject: { type: 'string', pattern: NAME, description: 'Owner of what the key makes; the agent by default' },
    agent: { type: 'string', pattern: NAME, description: 'The caller agent that holds the key' },
    scopes: { type: 'array', items: { type: 'string' }, description: 'See docs/PROTOCOL.md, Access' },
  },
}

/** JSON Schema of `synchub.config.json`, published for editors as `infra/synchub.schema.json`. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'SyncHub configuration',
  type: 'object',
  additionalProperties: false,
  required: ['agents'],
  properties: {
    $schema: { type: 'string' },
    access: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        mode: { enum: ['none', 'keys'], default: 'none', description: 'none serves loopback only' },
        keys: { type: 'array', items: key, default: [] },
      },
    },
    http: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        allowedHosts: {
          type: 'array',
          items: { type: 'string', pattern: '^[a-z0-9.:\\[\\]-]+$' },
          default: [],
          description: 'Host names beside localhost, 127.0.0.1 and [::1]',
        },
        allowedOrigins: { type: 'array', items: { type: 'string', pattern: '^https?://[^/]+$' }, default: [] },
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        maxBodyBytes: { type: 'integer', minimum: 1024, maximum: 67_108_864, default: 4_194_304 },
        maxDepth: { type: 'integer', minimum: 4, maximum: 1000, default: 64 },
        maxBatchSize: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
        maxWaitMs: duration('Longest wait for a JSON answer', 50_000, 54_999),
        defaultWaitMs: duration('Wait for a JSON answer where the caller names none', 30_000, 54_999),
      },
    },
    streams: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        heartbeatMs: duration('Pause between heartbeat comments', 15_000),
        maxAgeMs: duration('Age at which a stream is closed', HOUR_MS),
        retryMs: duration('Pause before readers reconnect', 1000),
        lingerMs: duration('Wait for a further call before the streams of a trace end', 2000),
        maxBufferedBytes: { type: 'integer', minimum: 4096, maximum: 67_108_864, default: 1_048_576 },
        stallTimeoutMs: duration('How long a reader may take nothing', 30_000),
      },
    },
    agents: {
      type: 'object',
      propertyNames: { pattern: NAME },
      additionalProperties: {
        type: 'object',
        required: ['url'],
        additionalProperties: false,
        properties: {
          url: textOrEnv('Where the agent takes JSON-RPC', '^https?://'),
          secret: textOrEnv('Bearer secret for the agent; name an environment variable'),
          trust: { enum: ['local', 'internal', 'external'], default: 'internal' },
          concurrency: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
          ...policyProperties,
          tools: {
            type: 'object',
            default: {},
            additionalProperties: { type: 'object', additionalProperties: false, properties: policyProperties },
          },
        },
      },
    },
  },
}

/** Scopes of the configuration that do not exist. */
export function unknownScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !isScope(scope))
}
