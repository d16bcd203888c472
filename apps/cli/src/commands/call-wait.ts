import type { CallIds } from '@synchub/client'
import { HubError, type ProgressData } from '@synchub/protocol'
import { exitOfError } from '../outcome/exit-code.js'
import { Interrupted } from '../outcome/failure.js'
import { type CallUpdate, hasEnded, type ShownState } from '../render/call-update.js'
import { createTraceRenderer, type TraceRenderer } from '../render/trace-renderer.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import type { CommandContext } from './command.js'

/** How the call stands when the wait for it is over. */
export type CallEnd = Pick<CallUpdate, 'state' | 'message'>

/** What a person sees while `synchub call` waits, and what Ctrl-C does meanwhile. */
export class CallWait {
  readonly #context: CommandContext
  readonly #tool: string
  readonly #json: boolean
  readonly #renderer: TraceRenderer
  readonly #abort = new AbortController()
  readonly #stopListening: () => void
  #ids: CallIds | undefined
  #interrupts = 0

  constructor(context: CommandContext, tool: string, json: boolean) {
    this.#context = context
    this.#tool = tool
    this.#json = json
    const { stream, colors, live } = context.err
    this.#renderer = createTraceRenderer(stream, { color: colors.isColorSupported, live: live && !json })
    this.#stopListening = context.interrupts.listen(() => this.#interrupt())
  }

  /** Ends the wait at the second Ctrl-C. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The hub has the call. Where it can be found is told for good: on a terminal the row of a call is soon drawn over. */
  accept(ids: CallIds): void {
    this.#ids = ids
    if (!this.#json) this.#renderer.note(describeIds(ids))
    this.#update({ state: 'waiting', message: 'accepted' })
  }

  /** The call is further. */
  show(data: ProgressData): void {
    if (this.#json) {
      this.#context.out.line(jsonLine({ event: 'progress', data }))
      return
    }
    const { progress, total, message } = data
    this.#update({
      state: 'running',
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    })
  }

  /** The wait is over; the terminal is given back. */
  end(end: CallEnd): void {
    this.#stopListening()
    if (hasEnded(end.state)) this.#update(end)
    this.#renderer.close()
  }

  #update(update: Omit<CallUpdate, 'callId' | 'tool'>): void {
    if (this.#json || this.#ids === undefined) return
    this.#renderer.update({ callId: this.#ids.callId, tool: this.#tool, ...update })
  }

  /** The work is not ours to end by a keystroke: the first Ctrl-C says so, the second one ends the wait alone. */
  #interrupt(): void {
    this.#interrupts++
    if (this.#interrupts > 1) this.#abort.abort(new Interrupted(`Stopped waiting. ${this.#describeGoingOn()}`))
    else this.#renderer.note(`Press Ctrl-C again to stop waiting. ${this.#describeGoingOn()}`)
  }

  /** Ends with the command, so that it can be copied. */
  #describeGoingOn(): string {
    if (this.#ids === undefined) return 'The hub has not confirmed the call yet and may still take it.'
    return `The call goes on. Cancel it with: ${this.#context.commandLine('cancel', this.#ids.callId)}`
  }
}

/** Which call it is, as all commands that are about one say it. */
export function describeIds({ callId, traceId }: CallIds): string {
  return `call ${cleanLine(callId)} in trace ${cleanLine(traceId)}`
}

/** What the hub has taken it refuses no more: work that was not done for what its agent said has failed, as its record says. */
const SHOWN_BY_EXIT: Readonly<Partial<Record<ReturnType<typeof exitOfError>, ShownState>>> = {
  refused: 'failed',
  cancelled: 'cancelled',
  unknown: 'unknown',
  failed: 'failed',
}

/** How a call stands that was waited for in vain; `running` where only the wait ended: such a failure is not the call's, and does not name it. */
export function endOfFailure(thrown: unknown): CallEnd {
  if (!(thrown instanceof HubError) || thrown.details.callId === undefined) return { state: 'running' }
  // The reason is not shown here: it stands in the failure's own report.
  return { state: SHOWN_BY_EXIT[exitOfError(thrown.code)] ?? 'running', message: '' }
}
