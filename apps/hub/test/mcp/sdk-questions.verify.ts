import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type AgentList, type JsonObject, META_KEYS } from '@synchub/protocol'
import { atEnd, closeAll } from '../cleanup.js'
import { getJson } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { serveTools } from '../served-agent.js'
import { until } from '../until.js'
import { ASKED_ALL, ASKED_CLIENTS, type AskedCapabilities, connectAsked } from './asked-clients.js'
import { askModern } from './mcp-requests.js'
import { orderTool } from './order-tool.mjs'

// One agent is a process.
jest.setTimeout(30_000)

const DONE = [{ type: 'text', text: '3 ordered, accept: Thank you!' }]
const CHILD = fileURLToPath(new URL('order-agent.mjs', import.meta.url))
/** The revision before has a name for each page that is asked for. */
const NAMED_PAGE = { elicitationId: expect.any(String) }
const ANSWERS = {
  size: { action: 'accept', content: { size: 3 } },
  checkout: { action: 'accept' },
  thanks: { role: 'assistant', content: { type: 'text', text: 'Thank you!' }, model: 'of the client' },
}

let hub: RunningHub

beforeAll(async () => {
  const { url } = await serveTools([orderTool('short', false), orderTool('long', true)])
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-orders-'))
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const tools = { short: { mode: 'direct' } }
  hub = await runHub({
    agents: {
      Native: { url, tools },
      Http: { connector: 'mcp-http', url: `${url}/mcp`, tools },
      Child: { connector: 'mcp-stdio', command: process.execPath, args: [CHILD, dataDir] },
    },
  })
  await until(async () =>
    (await getJson<AgentList>(hub.url, '/agents')).body.agents.every(({ available }) => available),
  )
}, 30_000)

afterAll(closeAll)

describe.each(ASKED_CLIENTS)('%s', (kind) => {
  test.each(['Native.short', 'Native.long', 'Http.short', 'Http.long', 'Child.long'])(
    'fills in the form, opens the page and has its model write what %s asks',
    async (name) => {
      const { asked, callTool } = await connectAsked(kind, hub.url, ASKED_ALL)
      expect((await callTool(name)).content).toEqual(DONE)
      expect(asked).toHaveLength(3)
      expect(asked).toContainEqual({
        method: 'elicitation/create',
        params: expect.objectContaining({ mode: 'form', message: 'How many?' }),
      })
      expect(asked).toContainEqual({
        method: 'elicitation/create',
        params: expect.objectContaining({
          mode: 'url',
          url: 'https://pay.example/checkout/7',
          ...(kind === 'the client 2.4, modern' ? {} : NAMED_PAGE),
        }),
      })
      expect(asked[2]).toEqual({
        method: 'sampling/createMessage',
        params: expect.objectContaining({
          messages: [{ role: 'user', content: { type: 'text', text: 'Thank them' } }],
          maxTokens: 20,
        }),
      })
    },
  )

  test.each<[string, AskedCapabilities]>([
    ['nothing', {}],
    ['forms only', { elicitation: { form: {} }, sampling: {} }],
    ['pages only', { elicitation: { url: {} }, sampling: {} }],
  ])('that declares %s is asked nothing, and told what it lacks', async (_case, capabilities) => {
    const { asked, callTool } = await connectAsked(kind, hub.url, capabilities)
    for (const name of ['Native.short', 'Http.long']) {
      await expect(callTool(name)).rejects.toMatchObject({
        code: kind === 'the client 2.4, modern' ? -32021 : -31012,
        data: { requiredCapabilities: { elicitation: expect.anything() } },
      })
    }
    expect(asked).toEqual([])
  })

  test('without a model is not asked for one', async () => {
    const { asked, callTool } = await connectAsked(kind, hub.url, { elicitation: { form: {}, url: {} } })
    await expect(callTool('Native.long')).rejects.toMatchObject({ data: { requiredCapabilities: { sampling: {} } } })
    expect(asked).toHaveLength(2)
  })
})

test('a task of the modern era shows form, page and model, and takes the answers one by one', async () => {
  const declared = { ...ASKED_ALL, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const modern = async (method: string, params: JsonObject) =>
    (await askModern(hub.url, method, params, { [META_KEYS.clientCapabilities]: declared })).body.result ?? {}
  const { taskId } = await modern('tools/call', { name: 'Http.long', arguments: {} })
  const asked = async () => Object.keys((await modern('tasks/get', { taskId })).inputRequests ?? {})
  await until(async () => (await asked()).length === 2)
  await modern('tasks/update', { taskId, inputResponses: { checkout: ANSWERS.checkout } })
  expect(await asked()).toEqual(['size'])
  await modern('tasks/update', { taskId, inputResponses: { size: ANSWERS.size } })
  await until(async () => (await asked()).includes('thanks'))
  await modern('tasks/update', { taskId, inputResponses: { thanks: ANSWERS.thanks } })
  await until(async () => (await modern('tasks/get', { taskId })).status === 'completed')
  expect(await modern('tasks/get', { taskId })).toMatchObject({ result: { content: DONE } })
})
