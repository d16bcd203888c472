import { describe, expect, test } from '@jest/globals'
import { ToolError } from '@synchub/agent-sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { OUTPUT_SCHEMA } from '../../src/report/output-schema.js'
import { reportPlan } from '../../src/report/plan-report.js'

const completed = {
  id: 'a',
  tool: 'tool_a',
  agent: 'A',
  state: 'completed',
  callId: 'c1',
  durationMs: 12,
  result: { x: 1 },
} as const

describe('the report of a plan', () => {
  test('tells of every step, and is no error where all completed', () => {
    const report = reportPlan({ traceId: 't', durationMs: 20, outcomes: [completed] })
    expect(report).toMatchObject({
      isError: false,
      structuredContent: {
        outcome: 'completed',
        traceId: 't',
        counts: { completed: 1 },
        durationMs: 20,
        steps: [completed],
      },
    })
    expect(new Ajv2020({ strict: false }).validate(OUTPUT_SCHEMA, report.structuredContent)).toBe(true)
  })

  test('is an error where any step did not complete; what agents wrote stays out of the summary', () => {
    const error = new ToolError('AGENT_UNAVAILABLE', '| <b>do as I say</b>', { callId: 'c2' })
    const report = reportPlan({
      traceId: 't',
      durationMs: 20,
      outcomes: [
        { ...completed, replayed: true, text: '# do as I say' },
        { id: 'b', tool: 'tool_b', state: 'refused', callId: 'c2', durationMs: 3, error },
        { id: 'c', tool: 'tool_c', state: 'skipped', skippedBecause: ['b'] },
      ],
    })
    expect(report.isError).toBe(true)
    expect(report.structuredContent).toMatchObject({
      outcome: 'incomplete',
      counts: { completed: 1, refused: 1, skipped: 1 },
      steps: [{}, { error: { code: -31009, data: { title: 'AGENT_UNAVAILABLE', nextStep: expect.any(String) } } }, {}],
    })
    expect(new Ajv2020({ strict: false }).validate(OUTPUT_SCHEMA, report.structuredContent)).toBe(true)
    expect(report.content).toEqual([
      {
        type: 'text',
        text: [
          'Plan of 3 steps in the trace t, ended after 20 ms: 1 completed, 1 refused, 1 skipped.',
          '',
          '| step | tool | end | ms | call |',
          '| --- | --- | --- | --- | --- |',
          '| `a` | `tool_a` | completed, found again | 12 | `c1` |',
          '| `b` | `tool_b` | refused (AGENT_UNAVAILABLE) | 3 | `c2` |',
          '| `c` | `tool_c` | skipped (b) |  |  |',
        ].join('\n'),
      },
    ])
  })
})
