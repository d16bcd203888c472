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
