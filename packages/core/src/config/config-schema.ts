import { isScope } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { AGENTS_SCHEMA } from './agent-schema.js'
import { PUBLIC_PATHS_SCHEMA } from './public-path-schema.js'
import { CALLER_QUOTA_SCHEMA, TENANT_QUOTA_SCHEMA } from './quota-schema.js'
import { RETENTION_SCHEMA } from './retention-schema.js'
import { duration, NAME } from './schema-parts.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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
        maxCallDepth: {
          type: 'integer',
          minimum: 1,
          maximum: 64,
          default: 8,
          description: 'Most calls in a chain in which each was made for the one before',
        },
        maxTraceProgressBytes: {
          type: 'integer',
          minimum: 4096,
          maximum: 1_000_000_000_000,
          default: 67_108_864,
          description:
            'Most bytes of progress that a trace holds; what comes beyond is left out, and the trace says so',
        },
        maxTraceBytes: {
          type: 'integer',
          minimum: 65_536,
          maximum: 1_000_000_000_000,
          default: 268_435_456,
          description:
            'Most bytes of arguments, results and events that a trace holds; a call that finds no room is refused, and what its calls bring is kept in any case',
        },
        caller: CALLER_QUOTA_SCHEMA,
        tenant: TENANT_QUOTA_SCHEMA,
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
        maxBufferedBytes: { type: 'integer', minimum: 4096, maximum: 67_108_864, default: 262_144 },
        stallTimeoutMs: duration('How long a reader may take nothing', 30_000),
      },
    },
    retention: RETENTION_SCHEMA,
    stop: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        graceMs: duration('How long runs may still take once their process is told to stop', 2000, HOUR_MS),
      },
    },
    idempotency: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        rememberMs: {
          ...duration('How long an idempotency key is remembered after its call began', DAY_MS, 30 * DAY_MS),
          minimum: 1000,
        },
      },
    },
    agents: AGENTS_SCHEMA,
    publicPaths: PUBLIC_PATHS_SCHEMA,
  },
}

/** Scopes of the configuration that do not exist. */
export function unknownScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !isScope(scope))
}
