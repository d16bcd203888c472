import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { ask, type ReadEvent, researchCall, stream } from './agent-call.js'
import { makeFiles, makeFolder, removeFolders } from './temporary-folder.js'
import { closeServers, page, serve } from './web-server.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const children: ChildProcess[] = []

/** SyncInsight in a process of its own: the built program, as an operator runs it. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  const { stdout } = child
  if (stdout === null) throw new Error('the output of the agent is not piped')
  let log = ''
  stdout.on('data', (chunk) => {
    log += String(chunk)
  })
  const exited = Promise.all([once(child, 'exit'), once(stdout, 'end')]).then(([[code]]) => code)
  const listening = once(child, 'message').then(([message]) => message.listening)
  return { child, exited, log: () => log, listening }
}

/** A folder with a configuration whose sources try to lead out of it. */
async function hostileSetting(port: number) {
  const outside = await makeFiles({ 'secret.md': 'The lease of the secret lasts 99 seconds.' })
  const folder = await makeFiles({
    'docs/guide.md': '# Leases\n\nA lease lasts 10 seconds by default.\n',
    'syncinsight.config.json': JSON.stringify({
      sources: {
        docs: { kind: 'folder', path: 'docs' },
        inside: { kind: 'url', url: `http://localhost:${port}/` },
      },
    }),
  })
  await symlink(outside, join(folder, 'docs', 'outside'))
  await symlink(join(outside, 'secret.md'), join(folder, 'docs', 'secret.md'))
  return { SYNCINSIGHT_CONFIG: join(folder, 'syncinsight.config.json'), DATA_DIR: await makeFolder() }
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  await closeServers()
  await removeFolders()
})

// Starting a process takes seconds on a busy machine.
jest.setTimeout(60_000)

describe('SyncInsight as a process', () => {
  test('tells its parent where it listens, researches, and stops with 0', async () => {
    const server = await serve(page('<p>The lease of the inside lasts 98 seconds.</p>'))
    const env = await hostileSetting(server.port)
    const agent = start({ ...env, SYNCHUB_AGENT_SECRET: 'shared' })
    const url = await agent.listening
    const body = researchCall({ question: 'How long does a lease last?', sources: ['docs', 'inside'] }, 'c1')
    expect(await ask(url, body)).toMatchObject({ error: { data: { status: 401 } } })
    const answer = await ask(url, body, { authorization: 'Bearer shared' })
    const { reportId } = (answer.result as { structuredContent: { reportId: string } }).structuredContent
    expect(answer).toMatchObject({
      result: { structuredContent: { outcome: 'partial', notFullyRead: ['docs', 'inside'] } },
    })
    const report = await readFile(join(env.DATA_DIR, 'reports', `${reportId}.md`), 'utf8')
    expect(report).toContain('lasts 10 seconds')
    expect(report).not.toMatch(/9[89] seconds/)
    expect(server.connectionCount()).toBe(0)
    agent.child.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
    expect(agent.log()).toContain(`listens on ${url}`)
    expect(agent.log()).not.toContain('shared')
  })

  test("researches over this repository's own documents with the configuration that comes with it", async () => {
    const agent = start({ DATA_DIR: await makeFolder(), LOG_LEVEL: 'warn' })
    const call = researchCall({ question: 'What does an event of a trace hold?', sources: ['packages'] }, 'c1')
    const events: ReadEvent[] = []
    for await (const event of stream(await agent.listening, call)) events.push(event)
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: { result: { outcome: 'complete' } } })
    const values = events.filter(({ event }) => event === 'progress').map(({ data }) => Number(data.progress))
    expect(values.length).toBeGreaterThan(8)
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other))
    agent.child.kill('SIGINT')
    expect(await agent.exited).toBe(0)
  })

  test.each([
    [{ PORT: 'http' }, 'PORT is \\"http\\", but must be a port from 0 to 65535'],
    [{ SYNCINSIGHT_CONFIG: '/none.json' }, '/none.json cannot be read: set SYNCINSIGHT_CONFIG to a readable file'],
    [{ HOST: '0.0.0.0' }, 'give it a secret'],
  ])('refuses to start with %j in one sentence and exit code 1', async (env, reason) => {
    const agent = start({ DATA_DIR: await makeFolder(), ...env })
    agent.listening.catch(() => undefined)
    expect(await agent.exited).toBe(1)
    expect(agent.log()).toContain(reason)
  })
})
