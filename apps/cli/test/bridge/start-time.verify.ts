import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { bridgeTo, closeBridges, handshake, legacy } from './bridged-hub.js'

const BIN = fileURLToPath(new URL('../../synchub.mjs', import.meta.url))
const RUNS = 9
/** Hosts start their servers while people wait, and a client that probes starts them twice. */
const LIMIT_MS = 500

afterAll(closeBridges)

describe('synchub mcp', () => {
  test('has answered its first message within half a second of its start', async () => {
    const hub = await bridgeTo(handshake)
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const begunAt = performance.now()
      const child = spawn(process.execPath, [BIN, 'mcp'], { env: { PATH: process.env.PATH, SYNCHUB_URL: hub.url } })
      child.stdin.write(`${JSON.stringify(legacy(0, 'initialize', {}))}\n`)
      await once(child.stdout, 'data')
      times.push(performance.now() - begunAt)
      child.stdin.end()
      await once(child, 'exit')
    }
    const median = times.toSorted((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0
    expect(median).toBeLessThan(LIMIT_MS)
    process.stdout.write(`synchub mcp answered after ${times.map((time) => time.toFixed(0)).join(', ')} ms\n`)
  })
})
