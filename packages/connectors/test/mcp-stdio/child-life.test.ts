import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { atEnd, closeAll } from '../cleanup.js'
import { callTool } from '../seen-call.js'
import { until } from '../until.js'
import { isAlive, prepareRogue, ROGUE_CHILD } from './rogue-child.js'

jest.setTimeout(30_000)

const never = new AbortController().signal

afterEach(closeAll)

describe('a child process', () => {
  test('is started when it is first wanted, once for all', async () => {
    const { connection, pids } = prepareRogue('')
    expect(pids()).toEqual([])
    await Promise.all([callTool(connection, 'work'), callTool(connection, 'work'), connection.listTools(never)])
    expect(pids()).toHaveLength(1)
  })

  test('sees the environment that it is given with our mark, and nothing of ours', async () => {
    const { connection, notes } = prepareRogue('', {})
    const { outcome } = await callTool(connection, 'environment')
    const [item] = outcome.kind === 'result' ? outcome.result.content : []
    const text = item?.type === 'text' ? item.text : undefined
    expect(JSON.parse(String(text))).toEqual({ NOTES_FILE: notes.file, SYNCHUB_PROCESS: expect.any(String) })
  })

  test('runs in the folder that it is given', async () => {
    const cwd = realpathSync(tmpdir())
    const { connection } = prepareRogue('', { cwd })
    expect((await callTool(connection, 'folder')).outcome).toMatchObject({ result: { content: [{ text: cwd }] } })
  })

  test('that cannot be started is unreachable, with the reason', async () => {
    const { connection } = prepareRogue('', { command: '/nowhere/server' })
    await expect(connection.listTools(never)).rejects.toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      reason: "the agent's process cannot be started: spawn /nowhere/server ENOENT",
    })
  })

  test('that dies at its start is unreachable, with its last words and without its secrets', async () => {
    const { connection, notes } = prepareRogue('crash-at-start', {
      environment: { API_KEY: 'open-sesame' },
    })
    const { outcome } = await callTool(connection, 'work')
    expect(outcome).toMatchObject({
      kind: 'unreachable',
      error: {
        code: 'AGENT_UNAVAILABLE',
        reason: "the agent's process ended with code 3; its last words: boom: the secret is ***",
      },
    })
    expect(notes.lines()).toEqual([])
  })

  test('that dies is started anew, and not at once each time when it dies again and again', async () => {
    const restart = { firstPauseMs: 100, longestPauseMs: 100_000, stableAfterMs: 60_000 }
    const { connection, pids } = prepareRogue('', { restart })
    expect((await callTool(connection, 'crash-on-call')).outcome.kind).toBe('lost')
    const held = await callTool(connection, 'work')
    expect(held.outcome).toMatchObject({
      kind: 'unreachable',
      error: {
        reason:
          "the agent's process ended with code 7; its last words: cannot go on; it is started again after a pause",
      },
    })
    expect(pids()).toHaveLength(1)
    await until(async () => (await callTool(connection, 'work')).outcome.kind === 'result', 'it is started again')
    expect(pids()).toHaveLength(2)
  })

  test('that does not say who it is in time is ended', async () => {
    const { connection, pids } = prepareRogue('silent', { probeTimeoutMs: 50, startTimeoutMs: 1_000 })
    expect((await callTool(connection, 'work')).outcome).toMatchObject({
      kind: 'unreachable',
      error: { reason: 'the agent did not answer initialize within 1000 ms' },
    })
    expect(pids()).toHaveLength(1)
    expect(pids().some(isAlive)).toBe(false)
  })

  test('that hangs while it works is ended once nobody waits for it, and started anew', async () => {
    const { connection, notes, notices, pids } = prepareRogue('', { hangTimeoutMs: 200 })
    const controller = new AbortController()
    const blocked = callTool(connection, 'block', {}, controller.signal)
    await notes.has('blocking')
    controller.abort()
    expect((await blocked).outcome).toEqual({ kind: 'aborted' })
    await until(async () => {
      const { outcome } = await callTool(connection, 'work', {}, AbortSignal.timeout(500))
      return outcome.kind === 'result'
    }, 'it is started again')
    expect(pids()).toHaveLength(2)
    expect(notices).toContain('the agent has not answered for 200 ms; it is ended')
  })

  test('that is only slow is let be', async () => {
    const { connection, notes, pids } = prepareRogue('', { hangTimeoutMs: 200 })
    const controller = new AbortController()
    const waiting = callTool(connection, 'hang', {}, controller.signal)
    await notes.has('hanging')
    controller.abort()
    await waiting
    await notes.has('cancelled the hub does not wait for the answer any more')
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(pids()).toHaveLength(1)
  })

  test('of the legacy era may be silent when it is asked for the modern revision', async () => {
    const { connection, pids } = prepareRogue('silent-to-probe', { probeTimeoutMs: 50 })
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(pids()).toHaveLength(1)
  })

  test('of the legacy era may even end at the question; it is not asked a second time', async () => {
    const { connection, pids } = prepareRogue('exit-on-probe')
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(pids()).toHaveLength(2)
    await callTool(connection, 'crash-on-call')
    await until(async () => (await callTool(connection, 'work')).outcome.kind === 'result', 'it is started again')
    expect(pids()).toHaveLength(3)
  })

  test('hears that its input has ended before anything else ends it', async () => {
    const { connection, notes, pids } = prepareRogue('')
    await callTool(connection, 'work')
    await connection.close()
    expect(notes.lines()).toContain('input ended')
    expect(pids().some(isAlive)).toBe(false)
    expect((await callTool(connection, 'work')).outcome).toMatchObject({ kind: 'unreachable' })
  })

  test('is ended with its connection also while it is being started', async () => {
    for (const isGreeted of [true, false]) {
      const { connection, notes, pids } = prepareRogue('silent')
      const starting = callTool(connection, 'work')
      if (isGreeted) await until(() => notes.lines().length > 0, 'it runs')
      await connection.close()
      expect((await starting).outcome).toMatchObject({ kind: 'lost' })
      expect(pids().some(isAlive)).toBe(false)
    }
  })

  test('that hears nothing is ended all the same', async () => {
    const { connection, notes, pids } = prepareRogue('stubborn')
    await callTool(connection, 'work')
    await connection.close()
    expect(notes.lines()).toContain('told to end')
    expect(pids().some(isAlive)).toBe(false)
  })
})

describe('a child process whose files are pinned', () => {
  const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

  function copyOfProgram(): string {
    const dir = mkdtempSync(join(tmpdir(), 'synchub-pins-'))
    atEnd(async () => rmSync(dir, { recursive: true }))
    copyFileSync(ROGUE_CHILD, join(dir, 'server.mjs'))
    copyFileSync(join(ROGUE_CHILD, '..', 'worker-tools.mjs'), join(dir, 'worker-tools.mjs'))
    return dir
  }

  test('is started while they are what they were, and never once they are not', async () => {
    const cwd = copyOfProgram()
    const file = join(cwd, 'server.mjs')
    const digest = digestOf(file)
    const { connection, pids } = prepareRogue('', {
      cwd,
      args: ['server.mjs'],
      sha256: new Map([['server.mjs', digest]]),
    })
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    appendFileSync(file, '// tampered with')
    await callTool(connection, 'crash-on-call')
    await until(async () => {
      const { outcome } = await callTool(connection, 'work')
      return outcome.kind === 'unreachable' && outcome.error.reason.startsWith('server.mjs has the SHA-256 ')
    }, 'it is found out')
    expect((await callTool(connection, 'work')).outcome).toMatchObject({
      error: {
        code: 'AGENT_UNAVAILABLE',
        reason: expect.stringContaining(
          `${digestOf(file)}, not ${digest} as the configuration says; the agent is not started`,
        ),
      },
    })
    expect(pids()).toHaveLength(1)
  })

  test('is not started when one of them is missing', async () => {
    const { connection, pids } = prepareRogue('', { sha256: new Map([['nowhere.mjs', 'a'.repeat(64)]]) })
    await expect(connection.listTools(never)).rejects.toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      reason: expect.stringMatching(
        /nowhere\.mjs cannot be read, so its SHA-256 is not known; the agent is not started$/,
      ),
    })
    expect(pids()).toEqual([])
  })
})
