import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ComposeService, readComposeServices, runCommandOf, stopProcess } from './fixtures/compose-program.js'

const CONFIG = fileURLToPath(new URL('../../compose.config.json', import.meta.url))
/** Three programs start side by side; a busy machine is no failure. */
const START_TIMEOUT_MS = 5 * 60_000

const apiKey = `shk_${randomBytes(32).toString('base64url')}`
const agentSecret = randomBytes(24).toString('hex')
const services = readComposeServices()
const running = new Map<string, ChildProcess>()
const ports = new Map<string, number>()
let scratch: string

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'synchub-compose-'))
  for (const { name } of services) ports.set(name, await findFreePort())
  writeFileSync(join(scratch, 'synchub.config.json'), JSON.stringify(readConfigurationWithKey()))
  for (const service of services)
    running.set(service.name, runCommandOf(service.command, environmentHere(service), 'inherit'))
})

afterAll(async () => {
  await Promise.all([...running.values()].map(stopProcess))
  rmSync(scratch, { recursive: true, force: true })
})

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await server[Symbol.asyncDispose]()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The configuration of the compose file with a key in it, as the first lines of docker-compose.yml tell one to do. */
function readConfigurationWithKey(): object {
  const configuration = JSON.parse(readFileSync(CONFIG, 'utf8')) as { access: object }
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  const key = { name: 'me', sha256, tenant: 'acme', agent: 'SyncVerse', scopes: ['tools:call'] }
  return { ...configuration, access: { ...configuration.access, keys: [key] } }
}

/** What Compose's networks, volumes and variables are on a machine without containers. */
function environmentHere({ name, environment }: ComposeService): Record<string, string> {
  const here: Record<string, string> = {
    REDIS_URL: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
    SYNCHUB_CONFIG: join(scratch, 'synchub.config.json'),
    SYNCBOOT_URL: `http://127.0.0.1:${ports.get('syncboot')}`,
    SYNCINSIGHT_URL: `http://127.0.0.1:${ports.get('syncinsight')}`,
    SYNCETA_URL: `http://127.0.0.1:${ports.get('synceta')}`,
    SYNCVERSE_URL: `http://127.0.0.1:${ports.get('syncverse')}`,
    SYNCHUB_URL: `http://127.0.0.1:${ports.get('hub')}`,
    SYNCHUB_API_KEY: apiKey,
    PORT: String(ports.get(name)),
    DATA_DIR: join(scratch, name),
    SYNCHUB_AGENT_SECRET: agentSecret,
    LOG_LEVEL: 'warn',
  }
  return Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, here[variable] ?? value]))
}

async function isHealthy(service: ComposeService): Promise<boolean> {
  const { name, healthCommand } = service
  const exitCodeSoFar = running.get(name)?.exitCode
  if (exitCodeSoFar !== null) throw new Error(`${name} has ended with ${exitCodeSoFar}`)
  const command = healthCommand.map((word) => word.replace(/(?<=127\.0\.0\.1:)\d+/, String(ports.get(name))))
  const [exitCode] = (await once(runCommandOf(command, environmentHere(service), 'ignore'), 'exit')) as [number]
  return exitCode === 0
}

async function callTool(name: string, toolArguments: object, key: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${ports.get('hub')}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: toolArguments } }),
  })
}

describe('the programs of docker-compose.yml, with its commands and variables', () => {
  test(
    'become well by the health checks that it names',
    async () => {
      for (const service of services.filter(({ healthCommand }) => healthCommand.length > 0)) {
        while (!(await isHealthy(service))) await delay(200)
      }
      expect([...running.values()].map(({ exitCode }) => exitCode)).toEqual(services.map(() => null))
    },
    START_TIMEOUT_MS,
  )

  test(
    'run a direct and a queued call for the holder of a key',
    async () => {
      const fields = [{ name: 'id', type: 'BIGINT', nullable: false, primaryKey: true }]
      const schema = await callTool('syncboot_generate_schema', { domainName: 'Order', fields }, apiKey)
      const research = await callTool(
        'syncinsight_deep_research',
        { question: 'What is a trace?', sources: ['docs'] },
        apiKey,
      )
      expect(await schema.text()).toContain('CREATE TABLE tb_order')
      expect(await research.text()).toContain('rep-')
    },
    START_TIMEOUT_MS,
  )

  test(
    'pass the suite that SyncETA has for SyncHub itself',
    async () => {
      const regression = await callTool('synceta_run_regression', { suite: 'synchub' }, apiKey)
      expect(await regression.json()).toMatchObject({ result: { structuredContent: { outcome: 'passed' } } })
    },
    START_TIMEOUT_MS,
  )

  test(
    'run a plan over the other agents for the holder of a key',
    async () => {
      const fields = [{ name: 'id', type: 'BIGINT', nullable: false, primaryKey: true }]
      const question = { question: 'What is a trace?', sources: ['docs'] }
      const steps = [
        { id: 'schema', tool: 'syncboot_generate_schema', arguments: { domainName: 'Invoice', fields } },
        { id: 'research', tool: 'syncinsight_deep_research', arguments: question, dependsOn: ['schema'] },
      ]
      const plan = await callTool('syncverse_run_plan', { steps }, apiKey)
      expect(await plan.json()).toMatchObject({ result: { structuredContent: { counts: { completed: 2 } } } })
    },
    START_TIMEOUT_MS,
  )

  test('refuse who has no key', async () => {
    expect((await callTool('syncboot_generate_schema', {}, 'shk_wrong')).status).toBe(401)
  })

  test(
    'end in good order when they are told to',
    async () => {
      for (const child of running.values()) expect(await stopProcess(child)).toBe(0)
    },
    START_TIMEOUT_MS,
  )
})
