import { describe, expect, test } from '@jest/globals'
import { HubError, type ToolResult } from '@synchub/protocol'
import { endingOfError, endingOfResult } from '../../src/completion/ending.js'
import { createContractBook } from '../../src/index.js'

const FACTS = { tool: 'search', executionTimeMs: 12, total: undefined }
const RESULT: ToolResult = { content: [{ type: 'text', text: 'two hits' }], isError: false }
const OUTPUT = { type: 'object', required: ['hits'], properties: { hits: { type: 'integer' } } }

function contractOf(outputSchema: Record<string, unknown>) {
  return createContractBook().contractOf({ name: 'search', inputSchema: {}, outputSchema }, 'r')
}

/** The title and the reason of a failure that an ending tells of. */
function problemOf({ event, data }: ReturnType<typeof endingOfResult>) {
  return [event, data.error]
}

describe('endingOfResult', () => {
  test('completes with content, structured result and usage as the agent gave them', () => {
    const tokenUsage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 }
    const result = { ...RESULT, structuredContent: { hits: 0 }, tokenUsage }
    expect(endingOfResult(result, contractOf(OUTPUT), FACTS)).toEqual({
      event: 'complete',
      data: {
        progress: 100,
        total: 100,
        result: { hits: 0 },
        content: RESULT.content,
        isError: false,
        executionTimeMs: 12,
        tokenUsage,
      },
    })
  })

  test('makes nothing up that the agent did not give', () => {
    const { data } = endingOfResult(RESULT, undefined, FACTS)
    expect(data).not.toHaveProperty('result')
    expect(data).not.toHaveProperty('tokenUsage')
  })

  test('ends the progress at the last total that was reported', () => {
    expect(endingOfResult(RESULT, undefined, { ...FACTS, total: 7 }).data).toMatchObject({ progress: 7, total: 7 })
    expect(endingOfResult(RESULT, undefined, { ...FACTS, total: 0 }).data).toMatchObject({ progress: 0, total: 0 })
  })

  test.each<[string, ToolResult, string]>([
    ['a missing field', { ...RESULT, structuredContent: {} }, "'hits' is required"],
    ['a field of the wrong type', { ...RESULT, structuredContent: { hits: '0' } }, 'hits must be an integer'],
  ])('fails as a broken contract for %s, and does not show the result as a success', (_, result, reason) => {
    expect(problemOf(endingOfResult(result, contractOf(OUTPUT), FACTS))).toMatchObject([
      'failed',
      {
        message: `Contract Broken: the agent's result does not keep its schema: ${reason}`,
        data: { title: 'CONTRACT_BROKEN', instance: '/tools/call/search' },
      },
    ])
  })

  test('fails as a broken contract where a structured result was promised and none came', () => {
    expect(problemOf(endingOfResult(RESULT, contractOf(OUTPUT), FACTS))).toMatchObject([
      'failed',
      { data: { title: 'CONTRACT_BROKEN', detail: 'the agent promised a structured result and sent none' } },
    ])
  })

  test('fails as a broken contract where the schema cannot check the result', () => {
    const result = { ...RESULT, structuredContent: {} }
    expect(problemOf(endingOfResult(result, contractOf({ $ref: '#' }), FACTS))).toMatchObject([
      'failed',
      {
        data: {
          title: 'CONTRACT_BROKEN',
          detail: expect.stringContaining("the agent's result cannot be checked: the schema cannot check this value"),
        },
      },
    ])
  })

  test('completes a tool that failed, which promises no structure', () => {
    const failed = { content: [{ type: 'text', text: 'API answered 500' }], isError: true }
    expect(endingOfResult(failed, contractOf(OUTPUT), FACTS)).toMatchObject({
      event: 'complete',
      data: { isError: true, content: failed.content },
    })
  })
})

describe('endingOfError', () => {
  test.each(['failed', 'unknown', 'cancelled'] as const)('tells of the failure in the event %s', (event) => {
    const error = new HubError('OUTCOME_UNKNOWN', 'the connection was lost', { callId: 'c' })
    expect(endingOfError(event, error, FACTS)).toMatchObject({
      event,
      data: { error: { code: -31011, data: { instance: '/tools/call/search', callId: 'c' } } },
    })
  })
})
