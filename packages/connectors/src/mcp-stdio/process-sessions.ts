import type { ProcessReach } from '@synchub/core'
import { messageOf } from '../answer/outcome.js'
import { ExchangeError } from '../http/exchange-error.js'
import { allTaken, type KeptRequest } from '../mcp/kept-request.js'
import { type McpSession, openSession, SessionOverdueError } from '../mcp/mcp-session.js'
import { ChildProcess, type EndLimits } from './child-process.js'
import { ChildTransport } from './child-transport.js'
import { ObservedChildTransport } from './observed-child.js'
import { requirePinnedFiles } from './pinned-files.js'
import { RestartPause, type RestartPauseOptions } from './restart-pause.js'

/** How an agent's process is started, and what is taken from it. */
export interface ProcessSessionsOptions {
  readonly reach: Omit<ProcessReach, 'connector' | 'secrets'>
  readonly startTimeoutMs: number
  readonly probeTimeoutMs: number
  readonly maxMessageBytes: number
  readonly end: EndLimits
  readonly restart: RestartPauseOptions
  readonly notice: (reason: string) => void
  readonly onListChange: (() => void) | undefined
}

/** Opens sessions with an MCP server that is our child process: a new process for each, never two at a time. */
export class ProcessSessions {
  readonly #options: ProcessSessionsOptions
  readonly #pause: RestartPause
  #lastEnd = ''
  /** Settles when the last process has ended. */
  #lastEnded: Promise<void> = Promise.resolve()
  /** Some servers of the legacy era end at the first message that is no handshake: those are greeted first from then on. */
  #era: 'auto' | 'legacy' = 'auto'

  constructor(options: ProcessSessionsOptions) {
    this.#options = options
    this.#pause = new RestartPause(options.restart)
  }

  /** @throws ExchangeError `unreachable` with the reason, or what the client throws */
  async open(signal: AbortSignal): Promise<McpSession> {
    await this.#lastEnded
    if (this.#pause.isOn(performance.now())) {
      throw new ExchangeError('unreachable', `${this.#lastEnd}; it is started again after a pause`)
    }
    try {
      return await this.#start(signal)
    } catch (thrown) {
      if (!signal.aborted) this.#noteEnd(0, messageOf(thrown))
      throw thrown
    }
  }

  async #start(signal: AbortSignal): Promise<McpSession> {
    const era = this.#era
    this.#era = 'auto'
    try {
      const session = await this.#openIn(era, signal)
      this.#era = era
      return session
    } catch (thrown) {
      const endedByItself = thrown instanceof ExchangeError && thrown.failure === 'lost'
      if (era === 'legacy' || !endedByItself) throw thrown
    }
    const session = await this.#openIn('legacy', signal)
    this.#era = 'legacy'
    return session
  }

  /** @throws the reason why the process ended, where it did */
  async #openIn(era: 'auto' | 'legacy', signal: AbortSignal): Promise<McpSession> {
    const { reach, startTimeoutMs, probeTimeoutMs, notice, onListChange } = this.#options
    await requirePinnedFiles(reach.sha256, reach.cwd ?? '.')
    let child: ChildTransport | undefined
    const connect = (kept: ReadonlyMap<string, KeptRequest>) => {
      child = this.#transportFor(kept)
      return new ObservedChildTransport(child, kept)
    }
    try {
      const session = await openSession({
        connect,
        era,
        probeTimeoutMs,
        startTimeoutMs,
        signal,
        notice,
        onListChange,
      })
      const openedAtMs = performance.now()
      this.#lastEnded = session.ended.then(() => {
        if (signal.aborted) return
        const reason = child?.failure?.message ?? 'its connection was closed'
        notice(reason)
        this.#noteEnd(performance.now() - openedAtMs, reason)
      })
      return session
    } catch (thrown) {
      // One that did not answer in time has been ended by us, and its end says nothing.
      throw thrown instanceof SessionOverdueError ? thrown : (child?.failure ?? thrown)
    }
  }

  #transportFor(kept: ReadonlyMap<string, KeptRequest>): ChildTransport {
    const { reach, end, maxMessageBytes, notice } = this.#options
    return new ChildTransport({
      start: () => ChildProcess.start(reach, end, notice),
      maxMessageBytes,
      taken: () => allTaken(kept),
      notice,
    })
  }

  #noteEnd(livedMs: number, reason: string): void {
    this.#lastEnd = reason
    this.#pause.noteEnd(performance.now(), livedMs)
  }
}
