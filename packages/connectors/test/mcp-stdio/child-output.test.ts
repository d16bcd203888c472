import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { callTool, REQUEST } from '../seen-call.js'
import { until } from '../until.js'
import { prepareRogue } from './rogue-child.js'

jest.setTimeout(30_000)

const never = new AbortController().signal

afterEach(closeAll)

describe('the output of a child process', () => {
  test.each<[string, string, RegExp]>([
    ['what is no message', 'garbage', /no JSON-RPC to its standard output: "\*\*\* not a message \*\*\*"$/],
    ['half a message', 'torn', /no JSON-RPC to its standard output/],
    ['what is not UTF-8', 'not-utf8', /no JSON-RPC to its standard output/],
    ['a batch, which no revision of today knows', 'batch', /no JSON-RPC to its standard output/],
    ['a line without an end', 'huge', /^the agent wrote a line larger than 100000 bytes$/],
  ])(
    'breaks the contract with %s: the process is ended, and started anew for the next call',
    async (_, tool, reason) => {
      const { connection, pids } = prepareRogue('', { maxMessageBytes: 100_000 })
      expect((await callTool(connection, tool)).outcome).toMatchObject({
        kind: 'broken',
        error: { code: 'CONTRACT_BROKEN', reason: expect.stringMatching(reason) },
      })
      expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
      expect(pids()).toHaveLength(2)
    },
  )

  test('filled our memory with answers that a process asked for and never read: it is ended', async () => {
    const { connection, pids } = prepareRogue('')
    expect((await callTool(connection, 'ask-and-not-read')).outcome).toMatchObject({
      kind: 'broken',
      error: { code: 'CONTRACT_BROKEN', reason: 'the agent does not read the answers to what it asks' },
    })
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(pids()).toHaveLength(2)
  })

  test('ends the other calls of the process too, since nobody knows where their answers are', async () => {
    const { connection, notes } = prepareRogue('')
    const waiting = callTool(connection, 'hang')
    await notes.has('hanging')
    await callTool(connection, 'garbage')
    expect((await waiting).outcome.kind).toBe('broken')
  })

  test('may greet before it has said who it is, which is told for the log', async () => {
    const { connection, notices } = prepareRogue('greeting')
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(notices).toEqual([expect.stringMatching(/no JSON-RPC to its standard output: "Welcome to the server!"$/)])
  })

  test('may not chatter without an end', async () => {
    const { connection } = prepareRogue('chatter')
    expect((await callTool(connection, 'work')).outcome).toMatchObject({
      kind: 'unreachable',
      error: { reason: expect.stringMatching(/no JSON-RPC to its standard output: "bla"/) },
    })
  })

  test('is read to its end when the process ends behind its answer', async () => {
    const { connection } = prepareRogue('')
    expect((await callTool(connection, 'last')).outcome).toMatchObject({
      kind: 'result',
      result: { content: [{ text: 'last words' }] },
    })
  })

  test('to its standard error is taken and forgotten, however much it is', async () => {
    const { connection, notes } = prepareRogue('flood-stderr')
    expect((await callTool(connection, 'work')).outcome.kind).toBe('result')
    expect(notes.lines()).toContain('flooded')
    const { outcome } = await callTool(connection, 'crash-on-call')
    expect(outcome).toMatchObject({
      kind: 'lost',
      error: {
        code: 'OUTCOME_UNKNOWN',
        reason: expect.stringMatching(
          /^the agent's process ended with code 7; its last words: x.* \| x.* \| cannot go on$/,
        ),
      },
    })
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000)
  })

  test('is read at the pace of the hub', async () => {
    const { connection, notes } = prepareRogue('')
    let seen = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const observer = {
      async onProgress() {
        if (++seen === 10) await held
      },
      onSignOfLife: () => undefined,
    }
    const outcome = connection.call({ ...REQUEST, tool: 'fast' }, observer, never)
    await until(() => seen >= 10, 'the tenth report is held')
    // Nothing tells that it has stopped to write. One that is read all the time needs a few ms for its next hundred reports.
    for (let before = -1; before !== notes.lines().length; await pause(100)) before = notes.lines().length
    expect(seen).toBe(10)
    expect(notes.lines()).not.toContain('wrote 500')
    release()
    expect(await outcome).toMatchObject({ kind: 'result' })
    expect(seen).toBe(1_000)
  })
})
