import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { closeAll, keepAll } from '../cleanup.js'
import { callTool } from '../seen-call.js'
import { until } from '../until.js'
import { type Stranger, startOverHttp, startOverStdio } from './server-everything.js'

jest.setTimeout(30_000)

const never = new AbortController().signal
const WAYS: readonly { readonly way: string; readonly start: () => Promise<Stranger> }[] = [
  { way: 'Streamable HTTP', start: startOverHttp },
  { way: 'stdio', start: startOverStdio },
]

describe.each(WAYS)('the server "everything" as a worker agent over $way', ({ start }) => {
  let stranger: Stranger
  let end: () => Promise<void>

  beforeAll(async () => {
    stranger = await start()
    end = keepAll()
  })

  afterAll(async () => {
    await closeAll()
    await end()
  })

  test('lists the tools that the hub can call', async () => {
    const { offers: tools, refused } = await stranger.connection.listTools(never)
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'get-tiny-image', 'trigger-long-running-operation']))
    // It runs as an MCP task only.
    expect(names).not.toContain('simulate-research-query')
    expect(refused).toEqual([
      {
        kind: 'tool',
        name: 'simulate-research-query',
        reason: 'it runs as an MCP task only, and the hub keeps its calls by itself',
      },
    ])
    expect(tools.find(({ name }) => name === 'get-structured-content')).toHaveProperty('outputSchema')
  })

  test.each<[string, JsonObject, readonly string[]]>([
    ['echo', { message: '안녕 🎉' }, ['text']],
    ['get-tiny-image', {}, ['text', 'image', 'text']],
    ['get-annotated-message', { messageType: 'error', includeImage: true }, ['text', 'image']],
    ['get-resource-links', { count: 3 }, ['text', 'resource_link', 'resource_link', 'resource_link']],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }, ['text', 'resource', 'text']],
    ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }, ['text', 'resource', 'text']],
    ['get-structured-content', { location: 'New York' }, ['text']],
  ])('passes on what %s answers as it was on the wire (%j)', async (tool, args, kinds) => {
    const answers = () =>
      stranger
        .received()
        .flatMap(({ result }) => (isJsonObject(result) && Array.isArray(result.content) ? [result] : []))
    const before = answers().length
    const { outcome } = await callTool(stranger.connection, tool, args)
    // What records may be a moment behind.
    await until(() => answers().length > before, 'the answer is recorded')
    const last = answers().at(-1)
    if (outcome.kind !== 'result' || last === undefined) throw new Error('there is no result')
    expect(outcome.result.content.map(({ type }) => type)).toEqual(kinds)
    expect(outcome.result.content).toEqual(last.content)
    expect(outcome.result.structuredContent).toEqual(last.structuredContent)
    expect(outcome.result.isError).toBe(false)
  })

  test('lists its resources, templates and prompts', async () => {
    const { resources, resourceTemplates, prompts, refused } = await stranger.connection.offers.list(never)
    expect(resources.map(({ uri }) => uri)).toContain('demo://resource/static/document/features.md')
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'demo://resource/dynamic/text/{resourceId}',
      'demo://resource/dynamic/blob/{resourceId}',
    ])
    expect(prompts.map(({ name }) => name)).toEqual([
      'simple-prompt',
      'args-prompt',
      'completable-prompt',
      'resource-prompt',
    ])
    expect(refused).toEqual([])
  })

  const lastResult = async (member: string) => {
    const found = () =>
      stranger.received().findLast(({ result }) => isJsonObject(result) && result[member] !== undefined)?.result
    await until(() => found() !== undefined, 'the answer is recorded')
    return found()
  }

  test.each(['demo://resource/dynamic/text/1', 'demo://resource/dynamic/blob/2'])(
    'passes on what %s holds as it was on the wire',
    async (uri) => {
      const reading = await stranger.connection.offers.readResource({ uri }, never)
      const sent = await lastResult('contents')
      expect(reading).toMatchObject({ contents: [{ uri }] })
      expect(reading).toEqual(isJsonObject(sent) ? { contents: sent.contents } : sent)
    },
  )

  test('has no resource that nobody has, and says so', async () => {
    await expect(stranger.connection.offers.readResource({ uri: 'demo://none' }, never)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('fills a prompt, with a resource in it, and passes it on as it was on the wire', async () => {
    const query = { name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '1' } }
    const filled = await stranger.connection.offers.getPrompt(query, never)
    const sent = await lastResult('messages')
    if ('resultType' in filled) throw new Error('it asks something first')
    expect(filled.messages.map(({ content }) => content.type)).toEqual(['text', 'resource'])
    expect(isJsonObject(sent) ? sent.messages : sent).toEqual(filled.messages)
    await expect(stranger.connection.offers.getPrompt({ name: 'args-prompt' }, never)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  test('completes an argument by what is known of the others', async () => {
    const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' }
    const complete = (argument: { name: string; value: string }, context = {}) =>
      stranger.connection.offers.complete({ ref, argument, context }, never)
    expect(await complete({ name: 'department', value: 'E' })).toMatchObject({ values: ['Engineering'] })
    const { values } = await complete({ name: 'name', value: '' }, { department: 'Engineering' })
    expect(values.length).toBeGreaterThan(0)
    expect(values).not.toEqual((await complete({ name: 'name', value: '' }, { department: 'Sales' })).values)
  })

  test('tells the progress of its long operation', async () => {
    const args = { duration: 0.5, steps: 5 }
    const { outcome, progress } = await callTool(stranger.connection, 'trigger-long-running-operation', args)
    expect(progress).toEqual([1, 2, 3, 4, 5].map((step) => ({ progress: step, total: 5 })))
    expect(outcome).toMatchObject({
      kind: 'result',
      result: { content: [{ type: 'text', text: expect.stringMatching(/^Long running operation completed/) }] },
    })
  })

  test('is told of a cancel by the number of its request', async () => {
    const controller = new AbortController()
    const args = { duration: 60, steps: 600 }
    const observer = { onProgress: async () => controller.abort(), onSignOfLife: () => undefined }
    const outcome = await stranger.connection.call(
      {
        callId: 'call-to-cancel',
        traceId: 'trace-1',
        attempt: 1,
        tool: 'trigger-long-running-operation',
        arguments: args,
        deadline: '2027-01-01T00:00:00.000Z',
        callerAgent: 'SyncVerse',
        targetAgent: 'Everything',
      },
      observer,
      controller.signal,
    )
    expect(outcome).toEqual({ kind: 'aborted' })
    const cancelled = () => stranger.sent().find(({ method }) => method === 'notifications/cancelled')
    await until(() => cancelled() !== undefined, 'the cancel is on the wire')
    const request = stranger.sent().findLast(({ method }) => method === 'tools/call')
    // This server hears of it and works on; its answer is not waited for.
    expect(cancelled()?.params).toMatchObject({ requestId: request?.id })
  })

  test('fails with a result where its schema refuses arguments', async () => {
    const { outcome } = await callTool(stranger.connection, 'get-sum', { a: 'one' })
    expect(outcome).toMatchObject({ kind: 'result', result: { isError: true } })
  })
})
