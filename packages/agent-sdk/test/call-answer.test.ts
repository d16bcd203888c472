import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool, type HandlerResult, ToolError, type ToolHandler } from '../src/index.js'
import { callBody, closeAll, postJson, serve, storedAnswers } from './served-agent.js'

const inputSchema = { type: 'object' }

function toolOf(handler: ToolHandler<object>, outputSchema?: { readonly [member: string]: unknown }) {
  return defineTool({ name: 'work', description: '', inputSchema, ...(outputSchema && { outputSchema }), handler })
}

async function answerOf(handler: ToolHandler<object>, outputSchema?: { readonly [member: string]: unknown }) {
  const { url, logs } = await serve([toolOf(handler, outputSchema)])
  const { status, body } = await postJson(url, callBody('work', {}, { callId: 'c1', traceId: 't1' }))
  return { status, body, errors: logs.filter(({ level }) => level === 'error') }
}

afterEach(closeAll)

describe('the answer of a call', () => {
  test('has a text as one item of content', async () => {
    const { status, body } = await answerOf(() => 'done')
    const meta = { callId: 'c1', traceId: 't1', executionTimeMs: expect.any(Number) }
    const result = { content: [{ type: 'text', text: 'done' }], isError: false, _meta: meta }
    expect({ status, body }).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 'c1', result } })
  })

  test('has everything that the handler returned, and nothing that it did not', async () => {
    const tokenUsage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 }
    const content = [{ type: 'resource', resource: { uri: 'schema://a', text: 'CREATE' } }]
    const { body } = await answerOf(() => ({ content, structuredContent: { rows: 0 }, isError: true, tokenUsage }))
    expect(body).toMatchObject({
      result: { content, structuredContent: { rows: 0 }, isError: true, _meta: { tokenUsage } },
    })
    const bare = await answerOf(() => ({ structuredContent: {} }))
    expect(bare.body).toMatchObject({ result: { content: [], structuredContent: {}, isError: false } })
    expect(bare.body).not.toHaveProperty('result._meta.tokenUsage')
  })

  test('tells the handler who calls, for what, how often and until when', async () => {
    const seen: unknown[] = []
    const { url } = await serve([
      toolOf((args, { callId, traceId, attempt, deadline, callerAgent }) => {
        seen.push(args, { callId, traceId, attempt, deadline, callerAgent })
        return ''
      }),
    ])
    const deadline = '2027-01-01T00:00:00.000Z'
    const meta = { callId: 'c1', traceId: 't1', attempt: 3, deadline, callerAgent: 'SyncVerse' }
    await postJson(url, callBody('work', { a: 1 }, meta))
    expect(seen).toEqual([{ a: 1 }, { ...meta, deadline: new Date(deadline) }])
  })

  test('gives a call without _meta an identity of its own', async () => {
    const ids: string[] = []
    const { url, dataDir } = await serve([
      toolOf((_, ctx) => {
        ids.push(ctx.callId, ctx.traceId)
        return String(ctx.attempt)
      }),
    ])
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work' } })
    await postJson(url, body)
    await postJson(url, body)
    expect(new Set(ids).size).toBe(2)
    expect(await storedAnswers(dataDir)).toEqual([])
  })

  test('carries the code, the reason and the details of an error that the author chose', async () => {
    const { status, body, errors } = await answerOf(() => {
      throw new ToolError('HITL_APPROVAL_REQUIRED', 'the index changes', {
        detail: 'Index modification',
        cause: 'secret',
      })
    })
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        jsonrpc: '2.0',
        id: 'c1',
        error: {
          code: -32001,
          message: 'HITL Approval Required: the index changes',
          data: {
            type: 'https://empasy.io/errors/hitl-approval-required',
            title: 'HITL_APPROVAL_REQUIRED',
            status: 403,
            detail: 'Index modification',
            instance: '/tools/call/work',
            layer: 'business',
            nextStep: expect.any(String),
          },
        },
      },
    })
    expect(errors).toEqual([])
  })

  test('says nothing of an error that the author did not expect, and everything to the log', async () => {
    const { status, body, errors } = await answerOf(() => {
      throw new TypeError('password hunter2 is wrong')
    })
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { error: { code: -32603, message: 'Internal Error: the tool work failed unexpectedly' } },
    })
    expect(JSON.stringify(body)).not.toContain('hunter2')
    expect(errors).toMatchObject([
      { traceId: 't1', callId: 'c1', tool: 'work', err: expect.stringContaining('hunter2') },
    ])
  })

  const cycle: { [name: string]: unknown } = {}
  cycle.self = cycle
  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /neither a text nor an object/],
    ['a list', [], /neither a text nor an object/],
    ['neither content nor structuredContent', {}, /result is broken: expected content or structuredContent/],
    ['content without a type', { content: [{ text: 'x' }] }, /result\.content.* is broken/],
    ['a structuredContent that is no object', { structuredContent: [1] }, /result\.structuredContent is broken/],
    [
      'token counts that do not add up',
      { content: [], tokenUsage: { promptTokens: 1, completionTokens: 1, totalTokens: 3 } },
      /totalTokens is broken: expected promptTokens \+ completionTokens/,
    ],
    ['what JSON cannot hold', { structuredContent: cycle }, /what JSON cannot hold/],
    ['a number that JSON cannot hold', { structuredContent: { n: 1n } }, /what JSON cannot hold/],
  ])('is an internal error when the handler returns %s, and the log names the slip', async (_, returned, slip) => {
    const { status, body, errors } = await answerOf(() => returned as HandlerResult)
    expect({ status, body }).toMatchObject({ status: 500, body: { error: { data: { title: 'INTERNAL_ERROR' } } } })
    expect(errors).toMatchObject([{ err: expect.stringMatching(slip) }])
  })

  test('is an internal error when it is larger than what is sent', async () => {
    const { url, logs } = await serve([toolOf(() => 'x'.repeat(200))], { maxAnswerBytes: 200 })
    expect(await postJson(url, callBody('work'))).toMatchObject({ status: 500 })
    expect(logs).toContainEqual(
      expect.objectContaining({ err: expect.stringMatching(/more than the 200 that are sent/) }),
    )
  })

  describe('with an outputSchema', () => {
    const outputSchema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }

    test('passes where the structured result keeps it', async () => {
      expect(await answerOf(() => ({ structuredContent: { count: 0 } }), outputSchema)).toMatchObject({ status: 200 })
    })

    test('is an internal error where it does not, as a reader would see it', async () => {
      const broken = await answerOf(() => ({ structuredContent: { count: Number.NaN } }), outputSchema)
      expect(broken).toMatchObject({ status: 500 })
      expect(broken.errors).toMatchObject([{ err: expect.stringMatching(/outputSchema: count must be an integer/) }])
      const missing = await answerOf(() => 'text only', outputSchema)
      expect(missing.errors).toMatchObject([{ err: expect.stringMatching(/returned no structuredContent/) }])
    })

    test('passes without one where the tool failed', async () => {
      expect(await answerOf(() => ({ content: [], isError: true }), outputSchema)).toMatchObject({ status: 200 })
    })
  })
})
