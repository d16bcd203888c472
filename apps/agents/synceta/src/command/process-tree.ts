import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { findProcesses, hasLivingGroup, type LivingProcess, signalProcess } from './process-table.js'
import { markOf, RUN_MARK, type RunMark } from './run-mark.js'

/** What is started. */
export interface TreeOptions {
  readonly command: readonly string[]
  /** Absolute path. */
  readonly cwd: string
  /** All that the command gets to see; the mark is added. */
  readonly environment: Readonly<Record<string, string>>
  readonly mark: RunMark
}

/** How the first process of a tree ended. */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly code: string }

const POLL_INTERVAL_MS = 50
/** How long the system may take to remove processes that were ended by force. */
const REMOVAL_PATIENCE_MS = 2_000

/**
 * A command with everything that it starts. It has a process group of its own, and a mark in its environment by which those are
 * found that have left the group. Nothing of it outlives {@link ProcessTree.end}, nor this process as long as that ends in order.
 */
export class ProcessTree {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the first process has ended, or could not be started; others of the tree may live on. */
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #mark: string

  constructor({ command: [program = '', ...args], cwd, environment, mark }: TreeOptions) {
    this.#mark = markOf(mark)
    this.#child = spawn(program, args, {
      cwd,
      env: { ...environment, [RUN_MARK]: this.#mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.stdout = this.#child.stdout
    this.stderr = this.#child.stderr
    this.ended = this.#waitForEnd()
    process.once('exit', this.#endAtOnce)
  }

  /**
   * Ends everything of the tree that lives: asks, and after `graceMs` ends by force.
   * @returns how many processes it found alive
   */
  async end(graceMs: number): Promise<number> {
    try {
      const found = this.#findLiving()
      if (found.length === 0) return 0
      if (!(await this.#signalUntilGone('SIGTERM', graceMs)))
        await this.#signalUntilGone('SIGKILL', REMOVAL_PATIENCE_MS)
      return found.length
    } finally {
      process.off('exit', this.#endAtOnce)
    }
  }

  async #waitForEnd(): Promise<ProcessEnd> {
    try {
      const [code, signal] = await once(this.#child, 'exit')
      return code === null ? { kind: 'killed', signal: String(signal) } : { kind: 'exited', code: Number(code) }
    } catch (error) {
      return { kind: 'not-started', code: (error as NodeJS.ErrnoException).code ?? String(error) }
    }
  }

  /** Signals once, and again those that were started meanwhile; true once nobody is left. */
  async #signalUntilGone(signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
    const givenUpAt = performance.now() + patienceMs
    const signalled = new Set<number>()
    for (;;) {
      const living = this.#findLiving()
      if (living.length === 0) return true
      if (performance.now() > givenUpAt) return false
      this.#signal(living, signal, signalled)
      await delay(POLL_INTERVAL_MS)
    }
  }

  #signal(living: readonly LivingProcess[], signal: NodeJS.Signals, signalled: Set<number>): void {
    const groupId = this.#child.pid
    const isNew = living.filter(({ pid }) => !signalled.has(pid))
    // The group at once: one after the other, a member could start the next while we look.
    if (groupId !== undefined && isNew.some((entry) => entry.groupId === groupId)) signalProcess(-groupId, signal)
    for (const { pid, groupId: group } of isNew) {
      signalled.add(pid)
      if (group !== groupId) signalProcess(pid, signal)
    }
  }

  #findLiving(): LivingProcess[] {
    const { pid } = this.#child
    if (pid === undefined) return []
    const own = `${RUN_MARK}=${this.#mark}`
    if (process.platform === 'linux') return findProcesses(pid, (variable) => variable === own)
    // Where processes cannot be listed, the first one stands for its whole group.
    return hasLivingGroup(pid) ? [{ pid, groupId: pid }] : []
  }

  /** This process ends: there is no time to ask. */
  readonly #endAtOnce = (): void => {
    this.#signal(this.#findLiving(), 'SIGKILL', new Set())
  }
}
