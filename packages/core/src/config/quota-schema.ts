const most = (description: string, defaultCount?: number) => ({
  type: 'integer',
  minimum: 1,
  maximum: 1_000_000_000,
  description: `${description}${defaultCount === undefined ? '; no bound where absent' : ''}`,
  ...(defaultCount === undefined ? {} : { default: defaultCount }),
})

/** Schema of what one caller, a subject of a tenant, may have. */
export const CALLER_QUOTA_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  default: {},
  description: 'What one caller, a subject of a tenant, may have; what agents at work call for it is not counted',
  properties: {
    callsPerMinute: most('Most calls that it may send in a minute'),
    openCalls: most('Most calls of it that have not ended'),
    streams: most('Most event streams that it may have open at one hub', 50_000),
    sessions: most(
      'Most sessions of MCP clients that it may have; the one unused for longest ends for a new one',
      1000,
    ),
  },
}

/** Schema of what all callers of a tenant together may have. */
export const TENANT_QUOTA_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  default: {},
  description: 'What all callers of a tenant together may have',
  properties: {
    callsPerMinute: most('Most calls that they may send in a minute'),
    openCalls: most('Most calls of them that have not ended'),
  },
}
