import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const PROGRAM = fileURLToPath(new URL('../conformance.mjs', import.meta.url))

test('the hub passes every required scenario of the official suite, and all others that can be run', async () => {
  const run = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 240_000 }).catch(
    (thrown: { stdout: string }) => thrown,
  )
  expect(run.stdout).not.toContain('failed:')
  expect(run.stdout).toMatch(/^2026-07-28: 37 of 37 required/m)
  expect(run.stdout).toMatch(/^2025-11-25: 30 of 30 required/m)
}, 300_000)
