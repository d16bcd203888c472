import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { isAlive, untilGone } from './living-process.js'
import { type CallOutcome, callTool } from './running-agent.js'
import { makeFolder, removeFolders } from './temporary-folder.js'
import { written } from './written-file.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const children: ChildProcess[] = []

/** SyncETA in a process of its own: the built program, as an operator runs it. */
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
  const listening: Promise<string> = once(child, 'message').then(([message]) => message.listening)
  return { child, exited, log: () => log, listening }
}

/** A suite that starts a daemon beside itself, ignores requests to end, and never ends. */
const STUBBORN = `import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
const daemon = spawn(process.execPath, ['-e', code], { stdio: 'ignore', detached: true })
process.on('SIGTERM', () => {})
writeFileSync('pids.tmp', process.pid + ' ' + daemon.pid + '\\n')
renameSync('pids.tmp', 'pids')
setInterval(() => {}, 1000)
`

async function stubbornSetting() {
  const folder = await makeFolder({
    'stubborn.mjs': STUBBORN,
    'synceta.config.json': {
      suites: { stubborn: { kind: 'command', command: ['node', 'stubborn.mjs'], output: 'tap' } },
      limits: { killGraceMs: 100 },
    },
  })
  return { folder, env: { SYNCETA_CONFIG: join(folder, 'synceta.config.json'), DATA_DIR: join(folder, 'data') } }
}

/** A call whose agent goes away has no answer. */
const endOf = (call: Promise<CallOutcome>) =>
  call.then(
    ({ ending }) => ending,
    () => 'cut off',
  )

const pidsIn = async (folder: string) => (await written(folder, 'pids')).split(' ').map(Number)

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  await removeFolders()
})

describe('SyncETA as a process', () => {
  test('tells its parent where it listens, runs a suite, and stops with 0', async () => {
    const folder = await makeFolder({
      'synceta.config.json': {
        suites: {
          quick: { kind: 'command', command: ['node', '-e', "console.log('1..1\\nok 1 - quick')"], output: 'tap' },
        },
      },
    })
    const dataDir = join(folder, 'data')
    const agent = start({ SYNCETA_CONFIG: join(folder, 'synceta.config.json'), DATA_DIR: dataDir })
    const url = await agent.listening
    const { result, markdown } = await callTool(url, { suite: 'quick' })
    expect(result).toMatchObject({ outcome: 'passed', counts: { passed: 1 } })
    expect(await readFile(join(dataDir, 'reports', `${result.reportId}.md`), 'utf8')).toBe(markdown)
    agent.child.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
    expect(agent.log()).toContain(`listens on ${url}`)
  })

  test('serves MCP with --stdio, and writes nothing else to standard output', async () => {
    const child = spawn(process.execPath, [MAIN, '--stdio'], {
      env: { PATH: process.env.PATH, DATA_DIR: await makeFolder() },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    children.push(child)
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return JSON.parse(String((await answers.next()).value))
    }
    const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'reader', version: '1.0.0' } }
    expect(await ask(1, 'initialize', client)).toMatchObject({ id: 1, result: { serverInfo: { name: 'SyncETA' } } })
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    const tools = [{ name: 'synceta_run_regression' }]
    expect(await ask(2, 'tools/list', {})).toMatchObject({ id: 2, result: { tools } })
    const exited = once(child, 'exit')
    child.stdin.end()
    expect(await answers.next()).toMatchObject({ done: true })
    expect(await exited).toEqual([0, null])
  })

  test('ends what a running suite has started when it is stopped', async () => {
    const { folder, env } = await stubbornSetting()
    const agent = start(env)
    const cut = endOf(callTool(await agent.listening, { suite: 'stubborn' }))
    const pids = await pidsIn(folder)
    agent.child.kill('SIGTERM')
    expect(await agent.exited).toBe(0)
    expect(await cut).toBe('cut off')
    await untilGone(pids)
  })

  test('ends what a killed one of its folder has left, before it takes calls', async () => {
    const { folder, env } = await stubbornSetting()
    const killed = start(env)
    const cut = endOf(callTool(await killed.listening, { suite: 'stubborn' }))
    const pids = await pidsIn(folder)
    killed.child.kill('SIGKILL')
    expect(await Promise.all([killed.exited, cut])).toEqual([null, 'cut off'])
    expect(pids.map(isAlive)).toEqual([true, true])
    await start({ ...env, DATA_DIR: join(folder, 'of-another') }).listening
    expect(pids.map(isAlive)).toEqual([true, true])
    await start(env).listening
    expect(pids.map(isAlive)).toEqual([false, false])
  })

  test.each([
    [{ HOST: '0.0.0.0' }, 'give it a secret'],
    [{ SYNCHUB_URL: 'ftp://x' }, 'targets.synchub.url (SYNCHUB_URL): must be an http or https URL'],
  ])('refuses to start with %j in one sentence and exit code 1', async (env, reason) => {
    const agent = start({ DATA_DIR: await makeFolder(), ...env })
    agent.listening.catch(() => undefined)
    expect(await agent.exited).toBe(1)
    expect(agent.log()).toContain(reason)
  })
})
