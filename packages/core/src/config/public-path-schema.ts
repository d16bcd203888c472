import type { JsonObject } from '@synchub/protocol'
import { duration, NAME, textOrEnv } from './schema-parts.js'

const PUBLIC_PATH: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url', 'manifest'],
  properties: {
    name: { type: 'string', pattern: NAME, description: 'Its name in traces, scopes and logs; no agent has it too' },
    title: { type: 'string', minLength: 1, description: 'What people call it; its name by default' },
    version: { type: 'string', minLength: 1, default: '1.0.0', description: 'What initialize tells' },
    url: textOrEnv('Where its tool service is reached', '^https?://'),
    secret: textOrEnv('Bearer secret for the service; name an environment variable'),
    manifest: {
      type: 'string',
      minLength: 1,
      pattern: '^(?!file:)',
      description: 'List of its tools, a URL relative to "url"',
    },
    profile: {
      enum: ['production', 'local'],
      default: 'production',
      description: 'local takes the tools from fallbackManifest until the service has listed them once',
    },
    fallbackManifest: {
      type: 'string',
      minLength: 1,
      description: 'local: a file; config/local-core-tools-manifest-sample-v1.json by default',
    },
    refreshMs: duration('Pause between two looks at the manifest', 30_000),
    timeoutMs: duration('Longest call', 30_000, 54_999),
    trust: { enum: ['local', 'internal', 'external'], default: 'internal' },
  },
}

/** JSON Schema of the public paths of `synchub.config.json` (S1), by path. */
export const PUBLIC_PATHS_SCHEMA: JsonObject = {
  type: 'object',
  default: {},
  // Nothing that a proxy or a URL parser would write another way.
  propertyNames: { pattern: '^(?:/(?![.]{1,2}(?:/|$))[A-Za-z0-9._~-]+)+$' },
  additionalProperties: PUBLIC_PATH,
  description: 'Paths for Agent Builder, each with a tool service of its own: see docs/PROTOCOL.md',
}
