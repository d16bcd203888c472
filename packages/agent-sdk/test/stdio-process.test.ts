import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { readTransport } from '../src/index.js'
import { legacyBody } from './mcp-requests.js'
import { atEnd, closeAll, makeFolder } from './served-agent.js'

const SCRIPT = fileURLToPath(new URL('fixtures/stdio-agent.mjs', import.meta.url))

// Each test starts a process, which takes its time on a busy machine.
jest.setTimeout(30_000)

/** An agent that serves on stdin and stdout: the built package in a process of its own. */
async function start() {
  const child = spawn(process.execPath, [SCRIPT, await makeFolder(), '--stdio'], { stdio: 'pipe' })
  const exited = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited }
}

afterEach(closeAll)

describe('an agent on stdin and stdout', () => {
  test('writes to stdout nothing but answers, whatever its tools print, and ends with 0 on EOF', async () => {
    const { child, exited } = await start()
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    child.stdin.write(`${legacyBody('tools/call', { name: 'chat' }, 1)}\n`)
    child.stdin.end(`${legacyBody('ping', {}, 2)}\n`)
    expect(await exited).toEqual([0, null])
    const lines = (await stdout).trim().split('\n')
    expect(new Set(lines.map((line) => JSON.parse(line).id))).toEqual(new Set([1, 2]))
    expect(await stderr).toMatch(/serves MCP on stdin and stdout[\s\S]*a stray line[\s\S]*"method":"stray"/)
  })

  test('ends at once when nothing was asked', async () => {
    const { child, exited } = await start()
    const stdout = text(child.stdout)
    child.stdin.end()
    expect(await exited).toEqual([0, null])
    expect(await stdout).toBe('')
  })

  test('ends with 0 on SIGTERM', async () => {
    const { child, exited } = await start()
    child.stdin.write(`${legacyBody('ping')}\n`)
    await once(child.stdout, 'readable')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  test('ends when its client reads no more', async () => {
    const { child, exited } = await start()
    child.stdin.on('error', () => undefined)
    child.stdout.destroy()
    const asking = setInterval(() => child.stdin.write(`${legacyBody('ping')}\n`), 20)
    expect(await exited).toEqual([0, null])
    clearInterval(asking)
  })
})

describe('readTransport', () => {
  test('knows --stdio and nothing else', () => {
    expect(readTransport([])).toBe('http')
    expect(readTransport(['--stdio'])).toBe('stdio')
    expect(() => readTransport(['--sdtio'])).toThrow('does not know the argument "--sdtio"')
  })
})
