import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from '@jest/globals'
import { isJsonObject, readLines } from '@synchub/protocol'
import fc from 'fast-check'
import { bridgeTo, closeBridges } from './bridged-hub.js'
import { dueFor, mayBeCancelled, oddLine, readJson } from './odd-lines.js'
import { until } from './until.js'
import { ASKED, answerBy, TOLD, WHIMS, type Whim } from './whims.js'

const BIN = fileURLToPath(new URL('../../synchub.mjs', import.meta.url))
const RUNS = 300
const MAX_LINES = 20
/** What has no response by then is taken to have none. */
const PATIENCE_MS = 20_000

afterEach(closeBridges)

/** How many messages of each kind there are; responses by their ids. */
class Tally {
  readonly responses = new Map<string | number, number>()
  refusals = 0

  add(id: string | number | undefined): void {
    if (id === undefined) this.refusals++
    else this.responses.set(id, (this.responses.get(id) ?? 0) + 1)
  }

  /** Everything that no cancel may have taken away. */
  get certain(): unknown {
    const responses = [...this.responses].filter(([id]) => !mayBeCancelled(id))
    return { refusals: this.refusals, responses: new Map(responses) }
  }

  get size(): number {
    const responses = [...this.responses].filter(([id]) => !mayBeCancelled(id))
    return responses.reduce((sum, [, count]) => sum + count, this.refusals)
  }
}

/** `synchub mcp` as a host has it, with what it owes and what it has given. */
class FuzzedBridge {
  readonly child: ChildProcessWithoutNullStreams
  readonly due = new Tally()
  readonly given = new Tally()
  /** Lines that no host should read. */
  readonly strays: string[] = []
  readonly over: Promise<void>
  log = ''

  constructor(url: string) {
    this.child = spawn(process.execPath, [BIN, 'mcp'], { env: { PATH: process.env.PATH, SYNCHUB_URL: url } })
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log += text
    })
    this.over = this.#read()
  }

  send(line: string): void {
    const due = dueFor(line)
    if (due.kind !== 'nothing') this.due.add(due.kind === 'response' ? due.id : undefined)
    this.child.stdin.write(`${line}\n`)
  }

  async #read(): Promise<void> {
    for await (const item of readLines(this.child.stdout, 1024 * 1024)) {
      if (item.kind === 'line') this.#take(item.text)
      else this.strays.push(item.error.message)
    }
  }

  #take(text: string): void {
    const value = readJson(text)
    const message = isJsonObject(value) ? value : {}
    const { jsonrpc, id, method, result, error } = message
    if (jsonrpc === '2.0' && (method === TOLD || method === ASKED)) return
    const isOne = jsonrpc === '2.0' && method === undefined && (result === undefined) !== (error === undefined)
    if (isOne && (typeof id === 'string' || typeof id === 'number')) this.given.add(id)
    else if (isOne && !('id' in message) && error !== undefined) this.given.add(undefined)
    else this.strays.push(text)
  }
}

test('each request gets one response, nothing else is written, and the process lives, whatever is sent and answered', async () => {
  let whims: readonly Whim[] = ['result']
  let turn = 0
  const hub = await bridgeTo((posted) => answerBy(whims[turn++ % whims.length] ?? 'result', posted))
  const bridge = new FuzzedBridge(hub.url)
  const batch = fc.record({
    lines: fc.array(oddLine, { minLength: 1, maxLength: MAX_LINES }),
    answers: fc.array(fc.constantFrom(...WHIMS), { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(batch, async ({ lines, answers }) => {
      whims = answers
      for (const line of lines) bridge.send(line)
      const patienceEndsMs = performance.now() + PATIENCE_MS
      const isOver = () => bridge.child.exitCode !== null || performance.now() > patienceEndsMs
      await until(() => bridge.given.size >= bridge.due.size || isOver())
      expect(bridge.child.exitCode).toBeNull()
      expect(bridge.given.certain).toEqual(bridge.due.certain)
      expect(bridge.strays).toEqual([])
    }),
    // What was sent stays sent: a smaller batch would be judged by the whole of it.
    { numRuns: RUNS, endOnFailure: true },
  )
  bridge.child.stdin.end()
  const [code] = await once(bridge.child, 'close')
  await bridge.over
  expect(code).toBe(0)
  expect(bridge.given.certain).toEqual(bridge.due.certain)
  for (const [id, count] of bridge.given.responses) expect(count).toBeLessThanOrEqual(bridge.due.responses.get(id) ?? 0)
  expect(bridge.strays).toEqual([])
  expect(bridge.log).not.toContain('unexpected failure')
}, 120_000)
