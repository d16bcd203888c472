import { ENDED_STATES } from '@synchub/protocol'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }

/** JSON Schema of the structured result of `syncverse_run_plan`. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    outcome: { enum: ['completed', 'incomplete'], description: 'completed: every step did.' },
    traceId: { ...TEXT, description: 'The trace that holds the calls of all steps.' },
    counts: {
      type: 'object',
      description: 'How many steps ended in which state; states without a step are absent.',
      propertyNames: { enum: [...ENDED_STATES, 'tool_failed', 'skipped'] },
      additionalProperties: COUNT,
    },
    durationMs: COUNT,
    steps: {
      type: 'array',
      description: 'In the order of the plan.',
      items: {
        type: 'object',
        properties: {
          id: TEXT,
          tool: TEXT,
          agent: TEXT,
          state: {
            enum: [...ENDED_STATES, 'tool_failed', 'skipped'],
            description:
              'tool_failed: the tool ran and says that it failed. refused: it never began. unknown: the agent may or may not have acted.',
          },
          callId: { ...TEXT, description: 'Where the whole result is found: GET /calls/{callId} of the hub.' },
          durationMs: COUNT,
          replayed: { const: true, description: 'An earlier attempt of this plan had made the call.' },
          result: { description: "The step's structuredContent, up to 16 KiB." },
          resultBytes: { ...COUNT, description: 'Size of a structuredContent that is larger.' },
          text: { ...TEXT, description: 'Its first text, clipped.' },
          error: {
            type: 'object',
            description: 'The error object of a step that failed; branch on data.title.',
            properties: {
              code: { type: 'integer' },
              message: TEXT,
              data: { type: 'object', properties: { title: TEXT, nextStep: TEXT }, required: ['title'] },
            },
            required: ['code', 'message', 'data'],
          },
          skippedBecause: { type: 'array', items: TEXT, description: 'Steps that did not complete.' },
        },
        required: ['id', 'tool', 'state'],
        additionalProperties: false,
      },
    },
  },
  required: ['outcome', 'traceId', 'counts', 'durationMs', 'steps'],
  additionalProperties: false,
}
