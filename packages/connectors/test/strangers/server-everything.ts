import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AgentConnection } from '@synchub/core'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { createMcpHttpConnection, createMcpStdioConnection } from '../../src/index.js'
import { atEnd } from '../cleanup.js'
import { startRecordingProxy } from './recording-proxy.js'

const require = createRequire(import.meta.url)
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
const TELL_PORT = new URL('../fixtures/tell-port.mjs', import.meta.url).href

/** The server that shows everything MCP has, made by other people, and all that it says to us. */
export interface Stranger {
  readonly connection: AgentConnection
  /** Every message that came from it, as it was on the wire. */
  received(): readonly JsonObject[]
  /** Every message that went to it. */
  sent(): readonly JsonObject[]
}

/** Starts it over Streamable HTTP, behind a proxy that records. */
export async function startOverHttp(): Promise<Stranger> {
  const child = spawn(process.execPath, ['--import', TELL_PORT, EVERYTHING, 'streamableHttp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PORT: '0' },
  })
  atEnd(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let port = ''
  for await (const line of createInterface(child.stdout)) {
    port = /^port (\d+)$/.exec(line)?.[1] ?? ''
    if (port !== '') break
  }
  child.stdout.resume()
  const proxy = await startRecordingProxy(`http://127.0.0.1:${port}/mcp`)
  const connection = createMcpHttpConnection({ url: proxy.url })
  atEnd(() => connection.close())
  return {
    connection,
    received: () =>
      proxy
        .received()
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => parse(line.slice('data: '.length))),
    sent: () => proxy.sent.filter((body) => body !== '').map(parse),
  }
}

/** Starts it as a child process, between two programs that record. */
export async function startOverStdio(): Promise<Stranger> {
  const dir = mkdtempSync(join(tmpdir(), 'synchub-wire-'))
  const [incoming, outgoing] = [join(dir, 'in'), join(dir, 'out')]
  const connection = createMcpStdioConnection({
    command: 'sh',
    args: ['-c', 'tee "$3" | "$1" "$2" | tee "$4"', 'sh', process.execPath, EVERYTHING, incoming, outgoing],
    environment: { PATH: '/usr/bin:/bin' },
    sha256: new Map(),
    end: { inputGraceMs: 100, termGraceMs: 500 },
  })
  atEnd(async () => {
    await connection.close()
    rmSync(dir, { recursive: true })
  })
  const messagesIn = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1).map(parse)
  return { connection, received: () => messagesIn(outgoing), sent: () => messagesIn(incoming) }
}

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`no message: ${text}`)
  return value
}
