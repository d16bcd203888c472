import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import {
  MEMBERSHIP_GRADE,
  MEMBERSHIP_GRADE_CONTENT,
  MEMBERSHIP_GRADE_SQL,
  membershipGrade,
} from './membership-grade.js'
import { atEnd, cleanUp, makeFolder } from './places.js'
import { type Place, STOCK_CLIENTS, type StockClient } from './stock-clients.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const TOOL = 'syncboot_generate_schema'

// A process takes about a second of CPU to start, and the machine may be busy.
jest.setTimeout(60_000)

/** SyncBoot over HTTP, in a process of its own for all tests. */
let listening: { readonly child: ChildProcess; readonly url: URL }

beforeAll(async () => {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: await makeFolder() }
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ listening: url }] = await once(child, 'message')
  listening = { child, url: new URL('/mcp', url) }
})

afterAll(async () => {
  listening.child.kill('SIGTERM')
  await once(listening.child, 'exit')
  await cleanUp()
})

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  HTTP: async () => ({ url: listening.url }),
  stdio: async () => ({ args: [PROGRAM, '--stdio'], env: { DATA_DIR: await makeFolder() } }),
}

async function reach(client: string, place: string): Promise<StockClient> {
  const connected = await STOCK_CLIENTS[client]?.((await PLACES[place]?.()) ?? { url: listening.url })
  if (connected === undefined) throw new Error(`there is no ${client}`)
  closers.push(connected.close)
  return connected
}

const EVERY_WAY = [
  ['client 1.32', 'HTTP'],
  ['client 1.32', 'stdio'],
  ['client 2.4 as it comes', 'HTTP'],
  ['client 2.4 as it comes', 'stdio'],
  ['client 2.4 that finds the newest revision', 'HTTP'],
  ['client 2.4 for one revision', 'stdio'],
] as const

describe('SyncBoot as an MCP server', () => {
  test.each(EVERY_WAY)('serves %s over %s', async (name, place) => {
    const client = await reach(name, place)
    expect([client.serverName, client.era]).toEqual(['SyncBoot', /newest|one/.test(name) ? 'modern' : 'legacy'])
    expect((await client.listTools()).tools).toMatchObject([{ name: TOOL, outputSchema: { type: 'object' } }])

    const answer = await client.callTool(TOOL, MEMBERSHIP_GRADE)
    expect(answer).toMatchObject({
      content: MEMBERSHIP_GRADE_CONTENT,
      structuredContent: { tableName: 'tb_membership_grade' },
      isError: false,
      _meta: { executionTimeMs: expect.any(Number), tokenUsage: { totalTokens: expect.any(Number) } },
    })

    const uri = 'schema://syncboot/domain/MembershipGrade'
    const sql = { uri, mimeType: 'application/sql', text: MEMBERSHIP_GRADE_SQL }
    expect((await client.readResource(uri)).contents).toEqual([sql])
    expect((await client.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri, name: 'MembershipGrade' }),
    )
    expect((await client.listTemplates()).resourceTemplates).toHaveLength(2)

    await expect(client.callTool('syncboot_drop_all', {})).rejects.toMatchObject({ code: -32602 })
    const flawed = membershipGrade({ fields: [{ name: 'a; DROP', type: 'INT' }] })
    await expect(client.callTool(TOOL, flawed)).rejects.toMatchObject({ code: -32602, data: { path: 'fields.0.name' } })
    await expect(client.readResource('schema://syncboot/domain/..')).rejects.toHaveProperty('data.uri')
    const approval = expect.objectContaining({ data: expect.objectContaining({ title: 'HITL_APPROVAL_REQUIRED' }) })
    await expect(client.callTool(TOOL, membershipGrade({ enableAuditing: false }))).rejects.toEqual(approval)

    const domains = Array.from({ length: 8 }, (_, number) => membershipGrade({ domainName: `Level${number}` }))
    const schemas = await Promise.all(domains.map((domain) => client.callTool(TOOL, domain)))
    expect(schemas.map(({ isError }) => isError)).toEqual(Array.from({ length: 8 }, () => false))
  })

  test('ends its process with the connection over stdio', async () => {
    const args = [PROGRAM, '--stdio']
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: await makeFolder() },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    atEnd(async () => child.kill('SIGKILL'))
    const output: string[] = []
    child.stdout.on('data', (chunk) => output.push(String(chunk)))
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(output).toEqual([])
  })
})
