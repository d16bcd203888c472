import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Client, createClient } from '@synchub/client'
import { findFreePort } from '../src/redis/free-port.js'
import { Program } from './programs/program.js'

const AGENT = fileURLToPath(new URL('../../../docs/examples/python-agent/agent.py', import.meta.url))
const SECRET = 'between-hub-and-agents'
const TEXT = ['one', 'two words', 'three short words', 'and four words more'].join('\n')

/** Takes connections at `port`, or is not yet there. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe('the agent in Python', () => {
  let dir: string
  let agent: ChildProcess
  let agentUrl: string
  let programs: Program[]
  let client: Client

  beforeAll(async () => {
    if (spawnSync('python3', ['--version']).error !== undefined) {
      throw new Error(
        'python3 is not on PATH: install it (Debian: apt-get install python3), this test runs a real agent in it',
      )
    }
    dir = await mkdtemp(join(tmpdir(), 'synchub-python-'))
    const port = await findFreePort()
    agentUrl = `http://127.0.0.1:${port}`
    agent = spawn('python3', [AGENT], {
      env: { ...process.env, PORT: String(port), SYNCHUB_AGENT_SECRET: SECRET },
      stdio: 'ignore',
    })
    while (!(await isListening(port))) await delay(20)

    const config = {
      agents: { Counter: { url: agentUrl, secret: { env: 'SYNCHUB_AGENT_SECRET' }, safeToRepeat: true } },
    }
    await writeFile(join(dir, 'synchub.config.json'), JSON.stringify(config))
    const hubPort = await findFreePort()
    const env = {
      REDIS_URL: process.env.SYNCHUB_TEST_REDIS_URL ?? '',
      REDIS_PREFIX: `python-${randomUUID().slice(0, 8)}`,
      SYNCHUB_CONFIG: join(dir, 'synchub.config.json'),
      SYNCHUB_AGENT_SECRET: SECRET,
      PORT: String(hubPort),
    }
    const dispatcher = new Program('apps/dispatcher/dist/main.js', [], env)
    const hub = new Program('apps/hub/dist/main.js', [], env)
    programs = [hub, dispatcher]
    await dispatcher.until((lines) => lines.some(({ msg }) => msg === 'agent changed'))
    await hub.until((lines) => lines.some(({ msg }) => msg === 'hub is listening'))
    client = createClient({ baseUrl: `http://127.0.0.1:${hubPort}`, callerAgent: 'SyncVerse' })
  }, 60_000)

  afterAll(async () => {
    for (const program of programs ?? []) await program.end('SIGTERM')
    if (agent !== undefined) {
      agent.kill('SIGKILL')
      await once(agent, 'exit')
    }
    if (dir !== undefined) await rm(dir, { recursive: true })
  })

  test('works through a hub: its progress comes as it goes, and its result as it gave it', async () => {
    const progress: unknown[] = []
    const result = await client.call(
      'count_words',
      { text: TEXT },
      { onProgress: (update) => progress.push([update.progress, update.total, update.message]) },
    )
    expect(result).toMatchObject({ structuredContent: { words: 10 } })
    expect(progress).toEqual([1, 2, 3, 4].map((line) => [line, 4, `line ${line} of 4`]))
  })

  test('refuses through a hub what does not keep its schema', async () => {
    await expect(client.call('count_words', { text: 7 })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  test('ends early where the hub cancels', async () => {
    const { callId } = await client.start('count_words', { text: 'a line\n'.repeat(10_000) })
    expect(await client.cancel(callId)).toMatchObject({ cancelled: true })
    expect((await client.getCall(callId)).state).toBe('cancelled')
  })

  test('gives the same events to whoever asks for the same callId, while it runs and afterwards', async () => {
    const ask = async () => {
      const params = { name: 'count_words', arguments: { text: TEXT }, _meta: { callId: 'c-1', traceId: 't-1' } }
      const response = await fetch(agentUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${SECRET}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 'c-1', method: 'tools/call', params }),
      })
      return response.text()
    }
    const together = await Promise.all([ask(), ask(), ask()])
    const steps = [1, 2, 3, 4].map((step) => `event: progress\ndata: {"progress": ${step}, .*\n\n`)
    const whole = new RegExp(`^${steps.join('')}event: complete\ndata: {"result": {"words": 10}}\n\n$`)
    for (const answer of [...together, await ask()]) expect(answer).toMatch(whole)
  })

  test('serves nobody who does not know its secret', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect((await fetch(agentUrl, { method: 'POST', body })).status).toBe(401)
  })
})
