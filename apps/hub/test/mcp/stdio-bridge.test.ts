import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { hashApiKey } from '@synchub/auth'
import { type JsonObject, readLines } from '@synchub/protocol'
import { atEnd, closeAll } from '../cleanup.js'
import { type HubPlace, openPlace, untilReady } from '../running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from '../scripted-agent.js'
import { echoTool, serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { MODERN } from './mcp-requests.js'
import { describeStockClients } from './stock-clients.js'

/** The command as hosts start it: what `tsc -b` has built. */
const BIN = fileURLToPath(new URL('../../../cli/synchub.mjs', import.meta.url))
const INFO = { name: 'host', version: '1.0.0' }
const KEY = 'key-of-host'

const work = steeredTool('work')
let place: HubPlace
let pay: ScriptedAgent
let env: Record<string, string>

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  pay = await serveScript([toolOf('pay', { inputSchema })])
  place = await openPlace({
    agents: {
      Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } },
      Pay: { url: pay.url, mode: 'direct' },
    },
    access: {
      mode: 'keys',
      keys: [{ name: 'host', sha256: hashApiKey(KEY), tenant: 't', agent: 'Host', scopes: ['tools:call'] }],
    },
  })
  const hub = await place.startHub()
  env = { PATH: process.env.PATH ?? '', SYNCHUB_URL: hub.url, SYNCHUB_API_KEY: KEY }
  await place.startDispatcher()
  await untilReady(hub.url)
})

afterAll(closeAll, 60_000)

const command = () => ({ command: process.execPath, args: [BIN, 'mcp'], env, stderr: 'ignore' as const })

describeStockClients(
  '`synchub mcp`',
  work,
  { first: () => new FirstTransport(command()), current: () => new StdioClientTransport(command()) },
  (client) => {
    test('lists and calls tools', async () => {
      expect((await client().listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'pay', 'work'])
      expect(await client().callTool('echo', { city: '서울' })).toMatchObject({ structuredContent: { city: '서울' } })
      // Its parameter goes into a header, of which a client on lines knows nothing.
      expect(await client().callTool('pay', { region: '서울' })).toMatchObject({ content: [{ text: 'ok' }] })
    })

    test('has many calls under way, answered as each is done', async () => {
      const slow = client().callTool('work', { at: 'slow' })
      const run = await work.nextRun()
      const quick = await Promise.all(Array.from({ length: 20 }, (_, n) => client().callTool('echo', { n })))
      expect(quick).toMatchObject(quick.map((_, n) => ({ structuredContent: { n } })))
      run.complete('at last')
      expect(await slow).toMatchObject({ content: [{ text: 'at last' }] })
    })
  },
)

describe('the process of `synchub mcp`', () => {
  interface Lines {
    readonly child: ChildProcessWithoutNullStreams
    send(message: JsonObject): void
    next(): Promise<JsonObject>
  }

  function start(): Lines {
    const child = spawn(process.execPath, [BIN, 'mcp'], { env })
    atEnd(() => child.kill('SIGKILL'))
    child.stderr.resume()
    const lines = readLines(child.stdout, 1024 * 1024)
    return {
      child,
      send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
      async next() {
        const { value } = await lines.next()
        if (value?.kind !== 'line') throw new Error('the bridge wrote no further line')
        return JSON.parse(value.text)
      },
    }
  }

  test('opens no port, and ends with its input', async () => {
    const { child, send, next } = start()
    send({ id: 0, method: 'ping' })
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 0, result: {} })
    expect(listeningPorts(child.pid ?? 0)).toEqual([])
    child.stdin.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test('tells of changes to who listens', async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: MODERN } } })
    let changes = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes++
    })
    await client.connect(new StdioClientTransport(command()))
    atEnd(() => client.close())
    const subscription = await client.listen({ toolsListChanged: true })
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
    pay.offer([toolOf('refund')])
    await until(() => changes === 1)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('refund')
    await subscription.close()
  })

  test('outlives its hub, and goes on with the next one at that address', async () => {
    const first = await place.startHub()
    const { port: ownPort } = new URL(first.url)
    const own = { ...env, SYNCHUB_URL: first.url }
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StdioClientTransport({ ...command(), env: own }))
    atEnd(() => client.close())
    await first.stop()
    await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({
      code: -31503,
      data: { title: 'HUB_UNAVAILABLE' },
    })
    await place.startHub(Number(ownPort))
    expect(await client.callTool({ name: 'echo', arguments: { back: true } })).toMatchObject({
      structuredContent: { back: true },
    })
  })
})

/** TCP ports on which a process listens (Linux). */
function listeningPorts(pid: number): readonly string[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  const LISTEN = '0A'
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === LISTEN && sockets.includes(`socket:[${columns[9]}]`))
      .map((columns) => columns[1] ?? ''),
  )
}
