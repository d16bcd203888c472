import { describe, expect, test } from '@jest/globals'
import {
  type CompletionContext,
  defineAgent,
  definePrompt,
  defineTool,
  ToolError,
  type ToolHandler,
} from '../src/index.js'
import { testAgent } from '../src/testing/index.js'

const agentOf = (handler: ToolHandler<{ to: number }>, outputSchema = {}) =>
  testAgent(
    defineAgent({
      name: 'Tester',
      version: '1.0.0',
      tools: [
        defineTool<{ to: number }>({
          name: 'count',
          description: 'Counts.',
          inputSchema: { type: 'object', required: ['to'], properties: { to: { type: 'integer' } } },
          outputSchema,
          handler,
        }),
      ],
    }),
  )

const counter = agentOf(async ({ to }, ctx) => {
  for (let progress = 1; progress <= to; progress++) {
    ctx.signal.throwIfAborted()
    ctx.logger.info({ progress }, 'counted')
    ctx.progress({ progress, total: to })
    await Promise.resolve()
  }
  return { structuredContent: { to, attempt: ctx.attempt, callerAgent: ctx.callerAgent } }
})

describe('testAgent', () => {
  test('asks the completers of a prompt, and refuses what the served agent refuses', async () => {
    const city = (value: string, { known }: CompletionContext) => [`${value}oul`, `${known.country}`]
    const visit = definePrompt({
      name: 'visit',
      description: '',
      arguments: [{ name: 'city', complete: city }],
      write: () => '',
    })
    const agent = testAgent(defineAgent({ name: 'Tester', version: '1.0.0', tools: [], prompts: [visit] }))
    const ref = { type: 'ref/prompt', name: 'visit' } as const
    expect(await agent.complete(ref, 'city', 'Se', { country: 'kr' })).toEqual(['Seoul', 'kr'])
    expect(await agent.complete(ref, 'when', '')).toEqual([])
    await expect(agent.complete({ type: 'ref/prompt', name: 'none' }, 'city', '')).rejects.toMatchObject({
      details: { path: 'ref.name' },
    })
  })

  test('runs a tool in this process with the context of the script', async () => {
    const result = await counter.call('count', { to: 2 }, { attempt: 3, callerAgent: 'SyncVerse', callId: 'c1' })
    expect(result).toEqual({
      content: [],
      structuredContent: { to: 2, attempt: 3, callerAgent: 'SyncVerse' },
      isError: false,
    })
    expect(counter.logs.at(-1)).toMatchObject({ msg: 'counted', callId: 'c1', tool: 'count' })
  })

  test('collects the progress and cancels where the script says so', async () => {
    const call = counter.start(
      'count',
      { to: 100 },
      { onProgress: ({ progress }, { cancel }) => progress === 2 && cancel() },
    )
    await expect(call.ended).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(call.progress).toEqual([
      { progress: 1, total: 100 },
      { progress: 2, total: 100 },
    ])
  })

  test('refuses arguments, names and codes as the served agent does', async () => {
    await expect(counter.call('count', { to: 'x' })).rejects.toMatchObject({ details: { path: 'to' } })
    await expect(counter.call('shout')).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' })
    const failing = agentOf(() => {
      throw new ToolError('HITL_APPROVAL_REQUIRED', 'ask first')
    })
    await expect(failing.call('count', { to: 1 })).rejects.toMatchObject({ code: 'HITL_APPROVAL_REQUIRED' })
  })

  test('fails a tool whose answer does not keep its outputSchema', async () => {
    const broken = agentOf(() => ({ structuredContent: { id: 1 } }), { properties: { id: { type: 'string' } } })
    await expect(broken.call('count', { to: 1 })).rejects.toThrow('does not keep the outputSchema: id must be a string')
  })

  test.each([
    ['falls', [2, 1], undefined, 'progress that does not rise: 2, 1'],
    ['stands still', [1, 1], undefined, 'progress that does not rise: 1, 1'],
    ['is no number', [Number.NaN], undefined, 'progress that is no finite number: NaN'],
    ['is below nothing', [-1], undefined, 'progress below 0: -1'],
    ['passes its total', [3], 2, 'progress 3 of a total of 2'],
  ])('fails a tool whose progress %s', async (_, values, total, complaint) => {
    const agent = agentOf((_args, ctx) => {
      for (const progress of values) ctx.progress({ progress, ...(total === undefined ? {} : { total }) })
      return { structuredContent: {} }
    })
    await expect(agent.call('count', { to: 1 })).rejects.toThrow(`the tool count reported ${complaint}`)
  })
})
