import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endLeftovers } from '../run/leftover-processes.mjs'
import { type StartedClone, typeNpmStart } from './fixtures/started-clone.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Installing takes a minute or two; the rest is slack for a slow mirror. */
const FIRST_START_TIMEOUT_MS = 10 * 60_000
const LATER_START_TIMEOUT_MS = 5 * 60_000

interface TraceList {
  readonly items: readonly { readonly traceId: string }[]
}

let parent: string
let clone: string
let port: number
let mark: string
let running: StartedClone | undefined

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'synchub-fresh-'))
  clone = join(parent, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  await probe[Symbol.asyncDispose]()
  mark = randomUUID()
})

afterAll(async () => {
  running?.kill()
  await endLeftovers(mark)
  rmSync(parent, { recursive: true, force: true })
})

function start(...args: string[]): StartedClone {
  running = typeNpmStart({ cwd: clone, port, mark, args })
  return running
}

async function readTraceIds(url: string): Promise<string[]> {
  const { items } = (await (await fetch(`${url}/traces`)).json()) as TraceList
  return items.map(({ traceId }) => traceId)
}

describe('npm start in a fresh clone', () => {
  let traceIds: string[]

  test(
    'installs, builds, finds Redis, plays the demonstration, serves, and ends with 0 at Ctrl-C',
    async () => {
      const started = start()
      await started.untilReady()
      await started.untilWritten('npx synchub watch')
      const health = await fetch(`${started.url}/healthz`)
      traceIds = await readTraceIds(started.url)
      const exitCode = await started.pressCtrlC()
      const output = started.readOutput()
      expect(health.status).toBe(200)
      expect(output).toContain('CREATE TABLE tb_membership_grade')
      expect(output).toMatch(/complete +syncinsight_deep_research/)
      expect(output).toMatch(/complete +synceta_run_regression/)
      expect(output).toMatch(/complete +syncverse_run_plan/)
      expect(output).toContain(`curl -N ${started.url}/rpc`)
      expect(traceIds).toHaveLength(1)
      expect(exitCode).toBe(0)
    },
    FIRST_START_TIMEOUT_MS,
  )

  test('leaves no process behind', async () => {
    expect(await endLeftovers(mark)).toEqual([])
  }, 30_000)

  test('changes no file that is under version control', () => {
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('')
  })

  test(
    'installs and builds nothing the second time, and has the traces of the first',
    async () => {
      const started = start('--no-demo')
      await started.untilReady()
      const kept = await readTraceIds(started.url)
      const exitCode = await started.pressCtrlC()
      expect(kept).toEqual(traceIds)
      expect(started.readOutput()).not.toContain('Demonstration')
      expect(started.readOutput()).toContain('build: up to date')
      expect(started.readOutput()).not.toMatch(/npm (?:ci|install)|compiling/)
      expect(exitCode).toBe(0)
    },
    LATER_START_TIMEOUT_MS,
  )

  test(
    'starts again after it was killed with -9 in the middle of its work',
    async () => {
      const killed = start('--no-demo')
      await killed.untilReady()
      killed.kill()
      const started = start('--no-demo')
      await started.untilReady()
      const kept = await readTraceIds(started.url)
      const exitCode = await started.pressCtrlC()
      expect(kept).toEqual(traceIds)
      expect(exitCode).toBe(0)
      expect(await endLeftovers(mark)).toEqual([])
    },
    LATER_START_TIMEOUT_MS,
  )
})
