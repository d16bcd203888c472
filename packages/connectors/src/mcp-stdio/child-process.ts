import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { INHERITED_VARIABLES, type ProcessReach } from '@synchub/core'
import { messageOf } from '../answer/outcome.js'
import { ExchangeError } from '../http/exchange-error.js'
import { LastLines } from './last-lines.js'
import { PROCESS_MARK } from './marked-processes.js'
import { endProcessTree, guardProcessTree, type ProcessTree } from './process-group.js'

/** How long the last words of a process are waited for once it has ended. */
const LAST_WORDS_TIMEOUT_MS = 500

/** What is started. */
export type ProcessCommand = Pick<ProcessReach, 'command' | 'args' | 'environment' | 'cwd'>

/** Limits of the end of a child process. */
export interface EndLimits {
  /** How long it may take after its standard input has ended, in milliseconds. */
  readonly inputGraceMs: number
  /** How long it and its children may take after TERM, in milliseconds. */
  readonly termGraceMs: number
}

/** A child process with everything that it starts: it has a group of its own and a mark, and ends with it and with us. */
export class ChildProcess {
  /** How the process ended, in words. Settles when it and its group have. */
  readonly ended: Promise<string>
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #tree: ProcessTree
  readonly #lastLines: LastLines
  readonly #limits: EndLimits
  readonly #exited: Promise<void>

  private constructor(started: StartedProcess, limits: EndLimits, release: () => void) {
    this.#child = started.child
    this.#tree = started.tree
    this.#lastLines = started.lastLines
    this.#limits = limits
    this.#exited = started.exited
    this.ended = this.#exited.then(async () => {
      await endProcessTree(this.#tree, limits.termGraceMs)
      release()
      await Promise.race([started.spoken, pause(LAST_WORDS_TIMEOUT_MS, undefined, { ref: false })])
      return this.#describeEnd()
    })
  }

  /**
   * Starts a process.
   * @param notice - told, in words, what only the log wants
   * @throws ExchangeError `unreachable` when it cannot be started
   */
  static async start(
    command: ProcessCommand,
    limits: EndLimits,
    notice: (reason: string) => void,
  ): Promise<ChildProcess> {
    const started = await startProcess(command)
    const release = guardProcessTree(started.tree, (error) =>
      notice(`nothing watches over the agent's process: ${error.message}`),
    )
    return new ChildProcess(started, limits, release)
  }

  get pid(): number {
    return this.#tree.leader
  }

  get output(): Readable {
    return this.#child.stdout
  }

  /** A text of the process without the secrets that it was given. */
  hide(text: string): string {
    return this.#lastLines.hide(text)
  }

  /** Writes to its standard input; settles when the system has taken it. @throws ExchangeError `lost` when it has not */
  async write(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#child.stdin.write(text, (error) => {
        if (error) reject(new ExchangeError('lost', "the agent's process does not read any more", error))
        else resolve()
      })
    })
  }

  /** Ends it, politely first: its input ends, then TERM, then KILL, for the whole group. */
  async end(): Promise<void> {
    this.#child.stdin.end()
    const isGone = await Promise.race([
      this.#exited.then(() => true),
      pause(this.#limits.inputGraceMs, false, { ref: false }),
    ])
    if (!isGone) await this.kill()
    await this.ended
  }

  /** Ends it at once: TERM, then KILL. */
  async kill(): Promise<void> {
    await endProcessTree(this.#tree, this.#limits.termGraceMs)
    await this.ended
  }

  #describeEnd(): string {
    const { exitCode, signalCode } = this.#child
    const how = signalCode === null ? `ended with code ${exitCode}` : `was ended by ${signalCode}`
    const words = this.#lastLines.toString()
    return `the agent's process ${how}${words === '' ? '' : `; its last words: ${words}`}`
  }
}

/** Values that the configuration gave: of what every process inherits nothing is to be hidden. */
function givenIn(environment: ProcessCommand['environment']): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => (INHERITED_VARIABLES.includes(name) ? [] : [value]))
}

interface StartedProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly tree: ProcessTree
  readonly lastLines: LastLines
  readonly exited: Promise<void>
  /** Settles when all that it wrote to its standard error is known. */
  readonly spoken: Promise<void>
}

async function startProcess({ command, args, environment, cwd }: ProcessCommand): Promise<StartedProcess> {
  const mark = randomUUID()
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment, [PROCESS_MARK]: mark },
    ...(cwd === undefined ? {} : { cwd }),
    // A group of its own, so that all of it can be ended.
    detached: true,
  })
  const lastLines = new LastLines(givenIn(environment))
  child.stderr.on('data', (chunk: Uint8Array) => lastLines.add(chunk))
  // A process that has gone is told by its end; a pipe that breaks says nothing more.
  for (const source of [child, child.stdin, child.stdout, child.stderr]) source.on('error', () => undefined)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const spoken = new Promise<void>((resolve) => {
    child.stderr.once('close', () => resolve())
  })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new ExchangeError('unreachable', `the agent's process cannot be started: ${messageOf(cause)}`, cause)
  }
  const { pid } = child
  if (pid === undefined) throw new ExchangeError('unreachable', "the agent's process has no number")
  return { child, tree: { leader: pid, mark }, lastLines, exited, spoken }
}
