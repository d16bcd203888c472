import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { AgentList, JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { callTool, getJson } from '../hub-requests.js'
import { askModern, type McpBody } from '../mcp/mcp-requests.js'
import { openPlace, type RunningHub, runHub } from '../running-hub.js'
import { until } from '../until.js'

// Agents are processes.
jest.setTimeout(30_000)

const require = createRequire(import.meta.url)
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
const GROWING = fileURLToPath(new URL('growing-server.mjs', import.meta.url))
const child = (program: string) => ({ connector: 'mcp-stdio', command: process.execPath, args: [program] })

let hub: RunningHub

beforeAll(async () => {
  hub = await runHub({ agents: { Everything: child(EVERYTHING), Growing: child(GROWING) } })
  const isThere = async () =>
    (await getJson<AgentList>(hub.url, '/agents')).body.agents.every(({ available }) => available)
  await until(isThere)
}, 60_000)

afterAll(closeAll, 60_000)

const ask = async (method: string, params: JsonObject = {}, url = hub.url): Promise<McpBody> =>
  (await askModern(url, method, params)).body
const itemsIn = ({ result }: McpBody, member: string) => (result?.[member] ?? []) as readonly JsonObject[]
const promptNames = async (url: string) =>
  itemsIn(await ask('prompts/list', {}, url), 'prompts').map(({ name }) => name)

describe('an agent that only a dispatcher can start', () => {
  test('is read by way of it: resources, prompts and completions', async () => {
    const uri = 'demo://resource/dynamic/text/1'
    expect((await ask('resources/read', { uri })).result).toMatchObject({
      contents: [{ uri, mimeType: 'text/plain', text: expect.stringMatching(/^Resource 1:/) }],
    })
    const args = { city: '서울', state: 'KR' }
    expect((await ask('prompts/get', { name: 'args-prompt', arguments: args })).result).toMatchObject({
      messages: [{ role: 'user', content: { text: expect.stringMatching(/서울/) } }],
    })
    const ref = { type: 'ref/prompt', name: 'completable-prompt' }
    expect(
      (await ask('completion/complete', { ref, argument: { name: 'department', value: 'E' } })).result,
    ).toMatchObject({ completion: { values: ['Engineering'] } })
  })

  test('says through it what is wrong', async () => {
    expect((await ask('resources/read', { uri: 'demo://resource/dynamic/text/none' })).error).toMatchObject({
      code: -32603,
      data: { title: 'INTERNAL_ERROR', detail: expect.stringMatching(/none/) },
    })
    expect((await ask('prompts/get', { name: 'args-prompt' })).error).toMatchObject({
      code: -32602,
      data: { title: 'INVALID_PARAMS' },
    })
  })

  test('is one process however many hubs read', async () => {
    const second = await hub.startHub()
    const reads = [hub.url, second.url, hub.url, second.url].map((url) =>
      ask('resources/read', { uri: 'agent://Growing/note://1' }, url),
    )
    const texts = (await Promise.all(reads)).map((answer) => itemsIn(answer, 'contents')[0]?.text)
    expect(texts[0]).toMatch(/^pid \d+$/)
    expect(new Set(texts).size).toBe(1)
  })

  test('is not waited for where there is no dispatcher, and the answer says what to do', async () => {
    const place = await openPlace({ agents: { Growing: child(GROWING) }, limits: { defaultWaitMs: 2_000 } })
    const [lonely, dispatcher] = await Promise.all([place.startHub(), place.startDispatcher()])
    await until(async () => itemsIn(await ask('resources/list', {}, lonely.url), 'resources').length > 0)
    await dispatcher.stop()
    const startedAt = Date.now()
    expect((await ask('resources/read', { uri: 'note://1' }, lonely.url)).error?.data).toMatchObject({
      title: 'AGENT_UNAVAILABLE',
      detail: expect.stringMatching(/^no dispatcher took the request to Growing/),
      nextStep: expect.stringMatching(/Start a dispatcher/),
    })
    expect(Date.now() - startedAt).toBeLessThan(1_900)
  })
})

describe('what an agent lists and the hub does not offer', () => {
  test('is shown among its agents, each kind apart, with the reason', async () => {
    const { agents } = (await getJson<AgentList>(hub.url, '/agents')).body
    expect(agents.find(({ name }) => name === 'Growing')).toMatchObject({
      tools: [{ name: 'grow', mode: 'queued' }],
      resources: [{ uri: 'note://1', name: 'One' }],
      refused: [
        { kind: 'tool', name: 'no name', reason: expect.stringMatching(/^its name must be/) },
        { kind: 'resource', name: 'trace://1', reason: expect.stringMatching(/scheme of the hub/) },
      ],
    })
    const { body } = await getJson<{ checks: JsonObject[] }>(hub.url, '/readyz')
    expect(body.checks.find(({ name }) => name === 'agent Growing')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^tool no name refused: its name must be .*; resource trace:\/\/1 refused: /),
    })
  })
})

describe('a change of its lists', () => {
  test('is known at every hub at once, not only with the next round of discovery', async () => {
    const urls = [hub.url, (await hub.startHub()).url]
    for (const url of urls) await until(async () => (await promptNames(url)).includes('first'))
    // Rounds are 2 s apart: three changes that each wait for one would take longer than 4 s.
    const startedAt = Date.now()
    for (const name of ['second', 'third', 'fourth']) {
      expect((await callTool(hub.url, 'grow', { name })).status).toBe(200)
      for (const url of urls) await until(async () => (await promptNames(url)).includes(name))
    }
    expect(Date.now() - startedAt).toBeLessThan(4_000)
  })
})
