import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AgentConnection } from '@synchub/core'
import { createMcpStdioConnection, type McpStdioConnectionOptions } from '../../src/index.js'
import { atEnd } from '../cleanup.js'
import { type Notes, openNotes } from '../contract/worker-process.js'

/** The program of the child. */
export const ROGUE_CHILD = fileURLToPath(new URL('../fixtures/rogue-child.mjs', import.meta.url))

/** A connection to a child process that behaves as `mode` says. */
export interface RogueChild {
  readonly connection: AgentConnection
  readonly notes: Notes
  /** What was told for the log. */
  readonly notices: readonly string[]
  /** Numbers of its processes so far. */
  pids(): readonly number[]
}

/** Prepares one; it is started when it is wanted. */
export function prepareRogue(mode: string, options: Partial<McpStdioConnectionOptions> = {}): RogueChild {
  const notes = openNotes()
  const notices: string[] = []
  const connection = createMcpStdioConnection({
    command: process.execPath,
    args: [ROGUE_CHILD, mode],
    environment: { NOTES_FILE: notes.file },
    sha256: new Map(),
    end: { inputGraceMs: 300, termGraceMs: 300 },
    restart: { firstPauseMs: 0, longestPauseMs: 0, stableAfterMs: 0 },
    notice: (reason) => notices.push(reason),
    ...options,
  })
  atEnd(() => connection.close())
  return {
    connection,
    notes,
    notices,
    pids: () => notes.lines().flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : [])),
  }
}

/** Whether a process is there and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    // The state stands behind the name, which may hold anything.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
