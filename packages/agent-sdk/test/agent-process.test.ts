import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { atEnd, callBody, closeAll, collect, makeFolder, postJson, storedAnswers, streamCall } from './served-agent.js'

const SCRIPT = fileURLToPath(new URL('fixtures/crash-agent.mjs', import.meta.url))

// Each test starts processes, which takes its time on a busy machine.
jest.setTimeout(30_000)

/** An agent in a process of its own: the built package, as an operator runs it. */
function start(dataDir: string, port = '0') {
  const child = spawn(process.execPath, [SCRIPT, dataDir, port], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const { stderr } = child
  if (stderr === null) throw new Error('the stderr of the agent is not piped')
  let log = ''
  stderr.on('data', (chunk) => {
    log += String(chunk)
  })
  // Not `close`: it does not come once the parent has disconnected.
  const exited = Promise.all([once(child, 'exit'), once(stderr, 'end')]).then(([codes]) => codes)
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited, log: () => log, url: () => listeningUrl(child) }
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  return message.listening
}

async function runsOf(dataDir: string): Promise<string[]> {
  return (await readFile(join(dataDir, 'runs.txt'), 'utf8')).trim().split('\n')
}

afterEach(closeAll)

describe('an agent as a process', () => {
  test('gives the stored answer after kill -9, without a second run', async () => {
    const dataDir = await makeFolder()
    const first = start(dataDir)
    const body = callBody('write', {}, { callId: 'c1' })
    const { body: answer } = await postJson(await first.url(), body)
    const text = `written by ${first.child.pid}`
    expect(answer).toMatchObject({ result: { content: [{ text }] } })
    first.child.kill('SIGKILL')
    await first.exited
    const again = await postJson(await start(dataDir).url(), body)
    expect(again.body).toMatchObject({ result: { content: [{ text }], _meta: { replayed: true } } })
    expect(await runsOf(dataDir)).toEqual(['c1 1'])
  })

  test('runs anew what kill -9 cut short, and leaves no half answer', async () => {
    const dataDir = await makeFolder()
    const first = start(dataDir)
    const events = streamCall(await first.url(), callBody('hang', {}, { callId: 'c1', attempt: 1 }))
    expect((await events.next()).value).toMatchObject({ event: 'progress' })
    first.child.kill('SIGKILL')
    await expect(events.next()).rejects.toThrow('terminated')
    await first.exited
    expect(await storedAnswers(dataDir)).toEqual([])
    const again = streamCall(await start(dataDir).url(), callBody('hang', {}, { callId: 'c1', attempt: 2 }))
    expect((await collect(again)).at(-1)).toMatchObject({ data: { content: [{ text: 'ended at attempt 2' }] } })
    expect(await runsOf(dataDir)).toEqual(['c1 1', 'c1 2'])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with exit code 0 on %s, also in the middle of a call',
    async (signal) => {
      const { child, exited, url } = start(await makeFolder())
      const events = streamCall(await url(), callBody('hang'))
      await events.next()
      child.kill(signal)
      await expect(events.next()).rejects.toThrow('terminated')
      expect(await exited).toEqual([0, null])
    },
  )

  test('ends when its parent has gone', async () => {
    const { child, exited, url } = start(await makeFolder())
    await url()
    child.disconnect()
    expect(await exited).toEqual([0, null])
  })

  test('ends with exit code 1 and one sentence when it cannot start', async () => {
    const { port } = new URL(await start(await makeFolder()).url())
    const { exited, log } = start(await makeFolder(), port)
    expect(await exited).toEqual([1, null])
    const lines = log().trim().split('\n')
    expect(lines).toHaveLength(1)
    const sentence = `agent Crasher cannot listen on 127.0.0.1:${port}: the port is in use; stop what uses it or choose another port`
    expect(JSON.parse(String(lines.at(0)))).toMatchObject({ level: 'error', msg: sentence })
  })
})
