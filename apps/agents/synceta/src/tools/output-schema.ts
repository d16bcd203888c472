const COUNT = { type: 'integer', minimum: 0 }
const DURATION = { type: 'number', minimum: 0, description: 'In milliseconds.' }

/** JSON Schema of the structured result of `synceta_run_regression`. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    reportId: { type: 'string', pattern: '^rep-[0-9a-f]{16}$' },
    suite: { type: 'string' },
    outcome: {
      enum: ['passed', 'failed', 'error'],
      description: 'error: the suite could not be run to its end, so it says nothing; reason says why.',
    },
    reason: { type: 'string' },
    remarks: { type: 'array', items: { type: 'string' }, description: 'About the run as a whole.' },
    counts: {
      type: 'object',
      properties: { total: COUNT, passed: COUNT, failed: COUNT, skipped: COUNT },
      required: ['total', 'passed', 'failed', 'skipped'],
      additionalProperties: false,
    },
    durationMs: DURATION,
    cases: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          outcome: { enum: ['passed', 'failed', 'skipped'] },
          durationMs: DURATION,
          expected: { type: 'string', description: 'As text, JSON for values.' },
          actual: { type: 'string', description: 'As text, JSON for values.' },
          message: { type: 'string' },
        },
        required: ['name', 'outcome'],
        additionalProperties: false,
      },
    },
    truncated: {
      type: 'boolean',
      description: 'Whether there were more cases than are listed; those that failed come first.',
    },
  },
  required: ['reportId', 'suite', 'outcome', 'counts', 'durationMs', 'cases', 'truncated'],
  additionalProperties: false,
}
