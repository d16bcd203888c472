import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readEnvironment, type StartEnvironment } from '../src/env.js'
import { startStandalone } from '../src/standalone.js'

describe('a start that cannot be', () => {
  let dir: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'synchub-refusals-'))
  })

  afterAll(() => rm(dir, { recursive: true }))

  /** Starts with these variables; answers what the person at the terminal would read, and what was said to be started. */
  async function refusalOf(
    variables: Record<string, string>,
  ): Promise<{ message: string; remedy: string; steps: string[] }> {
    const steps: string[] = []
    try {
      const environment: StartEnvironment = readEnvironment({ SYNCHUB_DATA_DIR: join(dir, 'data'), ...variables })
      const signal = new AbortController().signal
      const running = await startStandalone({ environment, onProgress: (line) => steps.push(line), signal })
      await running.stop()
    } catch (thrown) {
      if (typeof thrown !== 'object' || thrown === null || !('message' in thrown) || !('remedy' in thrown)) throw thrown
      return { message: String(thrown.message), remedy: String(thrown.remedy), steps }
    }
    throw new Error('the start was not refused')
  }

  test('because LOG_LEVEL or PORT is wrong names the variable', async () => {
    expect(await refusalOf({ LOG_LEVEL: 'loud' })).toMatchObject({
      message: 'Environment: LOG_LEVEL is "loud".',
      remedy: expect.stringContaining('debug'),
      steps: [],
    })
    expect(await refusalOf({ PORT: 'x' })).toMatchObject({ message: 'Environment: PORT is "x".', steps: [] })
  })

  test('because the hub would listen beyond this machine without access control starts nothing', async () => {
    const { message, remedy, steps } = await refusalOf({ HOST: '0.0.0.0', PORT: '0' })
    expect(message).toContain('does not listen on 0.0.0.0')
    expect(remedy).toContain('access.mode')
    expect(steps).toEqual([])
  })

  test('because its port is in use says which', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    expect(await refusalOf({ PORT: port })).toMatchObject({
      message: `Hub: port ${port} of 127.0.0.1 is in use.`,
      remedy: expect.stringContaining('PORT='),
      steps: [],
    })
    taken.close()
  })

  test('because the configuration is wrong names file, place and expectation', async () => {
    const file = join(dir, 'bad.json')
    await writeFile(file, JSON.stringify({ agents: { A: { url: 'http://127.0.0.1:1', concurrency: 0 } } }))
    const { message, steps } = await refusalOf({ SYNCHUB_CONFIG: file, PORT: '0' })
    expect(message).toContain(file)
    expect(message).toContain('agents.A.concurrency')
    expect(steps).toEqual([])
    expect((await refusalOf({ SYNCHUB_CONFIG: join(dir, 'none.json'), PORT: '0' })).message).toContain('cannot be read')
  })

  test('because its data folder cannot be made ends at once, also where nothing can ever be made', async () => {
    for (const folder of ['/proc/synchub/data', join(dir, 'bad.json', 'below-a-file')]) {
      const { message, remedy } = await refusalOf({ SYNCHUB_DATA_DIR: folder, PORT: '0' })
      expect(message).toContain('cannot be made or written')
      expect(remedy).toContain('another data folder')
    }
  })
})
