import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const TOOL = 'syncverse_run_plan'
const PLAN = { steps: [{ id: 'only', tool: 'syncboot_generate_schema' }] }

// A process takes about a second of CPU to start, and the machine may be busy.
jest.setTimeout(60_000)

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function settings(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'syncverse-'))
  closers.push(() => rm(folder, { recursive: true }))
  return { DATA_DIR: join(folder, 'data'), PORT: '0' }
}

/** SyncVerse in a process of its own: the built program, as an operator runs it. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  let log = ''
  child.stdout?.on('data', (chunk) => {
    log += String(chunk)
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  closers.push(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited, log: () => log, listening: once(child, 'message').then(([message]) => message.listening) }
}

describe('SyncVerse as an MCP server', () => {
  test('serves a modern client over HTTP, refuses to run a plan without an access token, and stops with 0', async () => {
    const agent = start(await settings())
    const client = new Client({ name: 'reader', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', await agent.listening)))
    expect(client.getProtocolEra()).toBe('modern')
    expect(client.getServerVersion()).toMatchObject({ name: 'SyncVerse' })
    expect((await client.listTools()).tools).toMatchObject([{ name: TOOL, outputSchema: { type: 'object' } }])
    const refusal = { data: { title: 'FORBIDDEN' }, message: expect.stringContaining('under "delegates" of SyncVerse') }
    await expect(client.callTool({ name: TOOL, arguments: PLAN })).rejects.toMatchObject(refusal)
    await client.close()
    agent.child.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
  })

  test('serves a client of 1.32 over stdio, and tells it what is wrong with its plan', async () => {
    const client = new EarlierClient({ name: 'reader', version: '1.0.0' })
    const env = await settings()
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAM, '--stdio'], env, stderr: 'ignore' }),
    )
    closers.push(async () => client.close())
    const twice = { steps: [...PLAN.steps, ...PLAN.steps] }
    const refusal = { data: { title: 'INVALID_PARAMS', path: 'steps.1.id' }, message: expect.stringMatching(/rename/) }
    await expect(client.callTool({ name: TOOL, arguments: twice })).rejects.toMatchObject(refusal)
  })

  test.each([
    [{ SYNCHUB_URL: 'hub' }, 'SYNCHUB_URL must be the http or https URL of a hub'],
    [{ HOST: '0.0.0.0' }, 'give it a secret'],
  ])('refuses to start with %j in one sentence and exit code 1', async (env, reason) => {
    const agent = start({ ...(await settings()), ...env })
    agent.listening.catch(() => undefined)
    expect(await agent.exited).toBe(1)
    expect(agent.log()).toContain(reason)
  })
})
