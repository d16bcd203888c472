/** Longest duration of a setting that has no bound of its own, in ms. */
const LONGEST_MS = 24 * 3_600_000

/** Pattern of the names of agents, tenants, subjects and keys. */
export const NAME = '^[A-Za-z0-9_-]{1,64}$'

/** Schema of a duration in ms. */
export const duration = (description: string, defaultMs?: number, maximum = LONGEST_MS) => ({
  type: 'integer',
  minimum: 10,
  maximum,
  description: `${description}, in ms`,
  ...(defaultMs === undefined ? {} : { default: defaultMs }),
})

/**
 * Schema of a text, or of the environment variable that holds it. One schema for both, not `oneOf`: each keyword looks at its own
 * type only, and an error then names the very place.
 */
export const textOrEnv = (description: string, pattern?: string) => ({
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
