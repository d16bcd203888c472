import { EventEmitter, once } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineAgent, defineTool, type ToolHandler } from '../src/index.js'
import { testAgent } from '../src/testing/index.js'
import { askLegacy } from './mcp-requests.js'
import { callBody, closeAll, collect, postJson, serve, streamCall } from './served-agent.js'

const toolOf = (handler: ToolHandler<object>) =>
  defineTool({
    name: 'work',
    description: '',
    inputSchema: { type: 'object' },
    streams: true,
    handler,
  })

const tellToken: ToolHandler<object> = (_, ctx) => ({ structuredContent: { accessToken: ctx.accessToken ?? null } })

const accessToken = 'run-token-of-attempt-1'

afterEach(closeAll)

describe('the run access token', () => {
  test('reaches the handler over the native surface and over MCP, and is undefined where none came', async () => {
    const { url } = await serve([toolOf(tellToken)])
    const native = await postJson(url, callBody('work', {}, { callId: 'c1', accessToken }))
    expect(native.body).toMatchObject({
      result: { structuredContent: { accessToken } },
    })
    const params = {
      name: 'work',
      arguments: {},
      _meta: { callId: 'c2', accessToken },
    }
    expect(await askLegacy(url, 'tools/call', params)).toMatchObject({
      body: { result: { structuredContent: { accessToken } } },
    })
    const without = await postJson(url, callBody('work', {}, { callId: 'c3' }))
    expect(without.body).toMatchObject({
      result: { structuredContent: { accessToken: null } },
    })
  })

  test('is given to a handler by a test', async () => {
    const agent = testAgent(
      defineAgent({
        name: 'Tester',
        version: '1.0.0',
        tools: [toolOf(tellToken)],
      }),
    )
    expect(await agent.call('work', {}, { accessToken })).toMatchObject({ structuredContent: { accessToken } })
    expect(await agent.call('work')).toMatchObject({ structuredContent: { accessToken: null } })
  })

  test('becomes that of the repeat which joins the work, and never again an older one', async () => {
    const gate = new EventEmitter()
    const { url } = await serve([
      toolOf(async (args, ctx) => {
        ctx.progress({ progress: 1 })
        await once(gate, 'open')
        return tellToken(args, ctx)
      }),
    ])
    const joined: ReturnType<typeof streamCall>[] = []
    for (const attempt of [1, 2, 1]) {
      const meta = {
        callId: 'c1',
        attempt,
        accessToken: `run-token-of-attempt-${attempt}`,
      }
      const events = streamCall(url, callBody('work', {}, meta))
      await events.next()
      joined.push(events)
    }
    gate.emit('open')
    for (const events of joined) {
      const [end] = await collect(events)
      expect(end?.data).toMatchObject({ result: { accessToken: 'run-token-of-attempt-2' } })
    }
  })

  test('is masked in every line that the work logs, also in what it throws', async () => {
    const { url, logs } = await serve([
      toolOf((_, ctx) => {
        const itself: Record<string, unknown> = {
          header: `Bearer ${ctx.accessToken}`,
          at: new Date(0),
        }
        itself.self = itself
        ctx.logger.child({ held: ctx }).info({ ctx, itself, list: [ctx.accessToken] }, `told ${ctx.accessToken}`)
        throw new Error(`refused ${ctx.accessToken}`, { cause: { sent: ctx.accessToken } })
      }),
    ])
    await postJson(url, callBody('work', {}, { callId: 'c1', accessToken }))
    expect(JSON.stringify(logs)).not.toContain(accessToken)
    const [told, failed] = logs.slice(-2)
    expect(told).toMatchObject({
      msg: 'told [masked]',
      held: { accessToken: '[masked]' },
      list: ['[masked]'],
      itself: {
        header: 'Bearer [masked]',
        at: '1970-01-01T00:00:00.000Z',
        self: '[circular]',
      },
    })
    expect(failed?.err).toContain('refused [masked]')
  })
})
