import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { MEMBERSHIP_GRADE, MEMBERSHIP_GRADE_CONTENT, membershipGrade } from './membership-grade.js'
import { atEnd, cleanUp, makeFolder } from './places.js'
import { callAgent } from './tools/agent-call.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))

// A process takes about a second of CPU to start, and the machine may be busy.
jest.setTimeout(60_000)

afterEach(cleanUp)

/** SyncBoot in a process of its own: the built program, as `npm start` runs it. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let log = ''
  child.stdout?.on('data', (chunk) => {
    log += String(chunk)
  })
  const exited = once(child, 'exit').then(([code]) => Number(code))
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    child,
    exited,
    log: () =>
      log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  return message.listening
}

const WITH_NOTE = membershipGrade({ fields: [...MEMBERSHIP_GRADE.fields, { name: 'note', type: 'TEXT' }] })

describe('SyncBoot as a process', () => {
  test('tells its parent and its log where it listens, and ends with 0 on SIGTERM', async () => {
    const { child, exited, log } = start({ DATA_DIR: await makeFolder() })
    const url = await listeningUrl(child)
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok', agent: 'SyncBoot' })
    expect(log()).toMatchObject([{ level: 30, name: 'syncboot', url }])
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  })

  test('keeps its catalogue over kill -9 and a new start', async () => {
    const DATA_DIR = await makeFolder()
    const first = start({ DATA_DIR })
    const before = await callAgent(await listeningUrl(first.child), MEMBERSHIP_GRADE, { callId: 'c1' })
    expect(before).toMatchObject({ result: { content: MEMBERSHIP_GRADE_CONTENT } })
    first.child.kill('SIGKILL')
    await first.exited

    const url = await listeningUrl(start({ DATA_DIR }).child)
    expect(await callAgent(url, MEMBERSHIP_GRADE, { callId: 'c2' })).toMatchObject({
      result: { content: MEMBERSHIP_GRADE_CONTENT, structuredContent: { change: 'unchanged' } },
    })
    expect(await callAgent(url, WITH_NOTE, { callId: 'c3' })).toMatchObject({
      result: { structuredContent: { change: 'altered' } },
    })
  })

  test('gives a call its ALTER statements again when it died after it saved and before it answered', async () => {
    const DATA_DIR = await makeFolder()
    const first = start({ DATA_DIR })
    const firstUrl = await listeningUrl(first.child)
    await callAgent(firstUrl, MEMBERSHIP_GRADE, { callId: 'c1' })
    // What a crash between the two leaves behind: the new state in the catalogue, and no answer of c2.
    const { result } = await callAgent(firstUrl, WITH_NOTE, { callId: 'other' })
    first.child.kill('SIGKILL')
    await first.exited
    const file = join(DATA_DIR, 'catalogue', 'mysql', 'tb_membership_grade.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"other"', '"c2"'))

    const url = await listeningUrl(start({ DATA_DIR }).child)
    const { content, structuredContent } = Object(result)
    expect(await callAgent(url, WITH_NOTE, { callId: 'c2', attempt: 2 })).toMatchObject({
      result: { content, structuredContent },
    })
  })

  test('serves only who knows its secret', async () => {
    const { child } = start({ DATA_DIR: await makeFolder(), SYNCHUB_AGENT_SECRET: 'let-me-in' })
    const url = await listeningUrl(child)
    expect(await callAgent(url, MEMBERSHIP_GRADE, {}, 'wrong')).toHaveProperty('error.data.status', 401)
    expect(await callAgent(url, MEMBERSHIP_GRADE, {}, 'let-me-in')).toHaveProperty('result.isError', false)
  })

  test.each([
    [{ PORT: 'http' }, 'PORT must be a port from 0 to 65535, 0 for a free one'],
    [{ PORT: '65536' }, 'PORT must be a port from 0 to 65535, 0 for a free one'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    [{ SYNCHUB_AGENT_SECRET: '' }, 'SYNCHUB_AGENT_SECRET must be a secret, or not set'],
  ])('ends with 1 and one sentence when it is set up with %j', async (env, sentence) => {
    const { exited, log } = start({ DATA_DIR: await makeFolder(), ...env })
    expect(await exited).toBe(1)
    expect(log()).toMatchObject([{ level: 60, msg: `SyncBoot cannot start: the environment variable ${sentence}` }])
  })
})
