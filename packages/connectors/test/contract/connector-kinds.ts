import type { AgentConnection } from '@synchub/core'
import {
  createMcpHttpConnection,
  createMcpStdioConnection,
  createNativeConnection,
  createToolServiceConnection,
} from '../../src/index.js'
import { atEnd } from '../cleanup.js'
import { type Notes, openNotes, startHttpWorker, WORKER } from './worker-process.js'

/** An agent of the contract suite, reached over one of the connectors. */
export interface AgentUnderTest {
  readonly connection: AgentConnection
  readonly notes: Notes
  /** A further connection, to the same agent where it is behind a URL. */
  connectAgain(limits?: ConnectionLimits): AgentConnection
  /** Ends the agent as `kill -9` does. */
  kill(): Promise<void>
  /** Sees to it that the agent can be reached again. */
  revive(): Promise<void>
}

/** What may differ between connections to the same agent. */
export interface ConnectionLimits {
  readonly maxBytes?: number
}

/** One way to reach the worker. */
export interface ConnectorKind {
  readonly name: string
  /** Whether progress reaches the hub. */
  readonly tellsProgress: boolean
  /** Whether it is given the access token of its run. */
  readonly givesAccess: boolean
  /** Whether it has resources and prompts, and whether their arguments are completed. */
  readonly offers: 'nothing' | 'resources and prompts' | 'completion too'
  start(): Promise<AgentUnderTest>
  /** A connection to an agent that is not there. */
  toNobody(): AgentConnection
  /** An agent behind a URL, which wants a secret; a connection with the right one, and one with a wrong one. */
  startSecret?(): Promise<{ readonly insider: AgentConnection; readonly stranger: AgentConnection }>
}

type Connect = (url: string, options: { secret?: string; maxResultBytes?: number }) => AgentConnection

const NOBODY = 'http://127.0.0.1:9'

function remote(surface: string, offers: ConnectorKind['offers'], connect: Connect): ConnectorKind {
  const open: Connect = (url, options) => {
    const connection = connect(url, options)
    atEnd(() => connection.close())
    return connection
  }
  return {
    name: surface,
    tellsProgress: surface !== 'tool-service',
    givesAccess: surface !== 'tool-service',
    offers,
    async start() {
      const worker = await startHttpWorker(surface)
      const connectAgain = ({ maxBytes }: ConnectionLimits = {}) =>
        open(worker.url, maxBytes === undefined ? {} : { maxResultBytes: maxBytes })
      return { ...worker, connectAgain, connection: connectAgain() }
    },
    toNobody: () => open(NOBODY, {}),
    async startSecret() {
      const { url } = await startHttpWorker(surface, 'open-sesame')
      return { insider: open(url, { secret: 'open-sesame' }), stranger: open(url, { secret: 'guess' }) }
    },
  }
}

function child(surface: string): ConnectorKind {
  const open = (command: string, notes: Notes, maxBytes: number | undefined) => {
    const connection = createMcpStdioConnection({
      command,
      args: [WORKER, surface],
      environment: { NOTES_FILE: notes.file },
      sha256: new Map(),
      end: { inputGraceMs: 500, termGraceMs: 500 },
      restart: { firstPauseMs: 1, longestPauseMs: 1, stableAfterMs: 0 },
      ...(maxBytes === undefined ? {} : { maxMessageBytes: maxBytes }),
    })
    atEnd(() => connection.close())
    return connection
  }
  return {
    name: surface,
    tellsProgress: true,
    givesAccess: true,
    offers: 'completion too',
    async start() {
      const notes = openNotes()
      const connectAgain = ({ maxBytes }: ConnectionLimits = {}) => open(process.execPath, notes, maxBytes)
      return {
        connection: connectAgain(),
        connectAgain,
        notes,
        async kill() {
          const pid = notes.lines().findLast((line) => line.startsWith('pid '))
          process.kill(Number(pid?.slice(4)), 'SIGKILL')
        },
        // Whoever wants it starts it.
        async revive() {},
      }
    },
    toNobody: () => open('/nowhere/worker', openNotes(), undefined),
  }
}

/** The four connectors; those for MCP against servers of either era alone, and against an agent of our SDK. */
export const CONNECTOR_KINDS: readonly ConnectorKind[] = [
  remote('native', 'resources and prompts', (url, options) => createNativeConnection({ url, ...options })),
  remote('mcp-http-legacy', 'completion too', (url, options) => createMcpHttpConnection({ url, ...options })),
  remote('mcp-http-modern', 'completion too', (url, options) => createMcpHttpConnection({ url, ...options })),
  remote('mcp-http-sdk', 'resources and prompts', (url, options) => createMcpHttpConnection({ url, ...options })),
  child('mcp-stdio-legacy'),
  child('mcp-stdio-modern'),
  remote('tool-service', 'nothing', (url, options) =>
    createToolServiceConnection({ url, manifest: 'manifest.json', ...options }),
  ),
]
