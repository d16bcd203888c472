import type { TicketStore } from '../approval/tickets.js'
import type { CallLog } from '../call/call-log.js'
import type { CallQueue } from '../call/call-queue.js'
import type { NewCall } from '../call/call-record.js'
import type { CancelBroadcast } from '../call/cancel-call.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Clock } from '../clock.js'
import type { HubConfig } from '../config/hub-config.js'
import type { ContractBook } from '../contract/tool-contract.js'
import type { StopSignal } from '../stop-switch.js'
import type { AgentConnection } from './agent-connection.js'
import type { CarriedHeaders } from './carried-headers.js'

/** What running a call works with; the same in the hub (direct) and the dispatcher (queued). */
export interface RunPorts {
  readonly config: HubConfig
  readonly clock: Clock
  readonly contracts: ContractBook
  readonly log: CallLog
  readonly tickets: TicketStore
  readonly queue: CallQueue
  readonly broadcast: CancelBroadcast
  catalogue(): Catalogue
  connectionOf(agent: string): AgentConnection | undefined
  /** Told of what the edge should log: a reason in words, and the call it belongs to. */
  notice(call: NewCall | null, reason: string): void
}

/** What one run works with. */
export interface RunContext extends RunPorts {
  /** Aborts when the process stops. */
  readonly stopping: StopSignal
  readonly carried: CarriedHeaders
}

/** What can end a run from outside. */
export interface RunSignals {
  /** The call has ended elsewhere (cancelled), or another attempt holds it. */
  readonly superseded: StopSignal
  /** The process stops: the run is handed back. */
  readonly stopping: StopSignal
  /** Does something when the run has ended, for which nobody waits; told to end when the process stops, or there is too much of it. */
  afterwards(work: (stopping: StopSignal) => Promise<void>): void
}
