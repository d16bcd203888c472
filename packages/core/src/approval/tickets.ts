import type { TraceRef } from '../trace/trace-ref.js'

/** One pending human decision: which call asked for it, and why. */
export interface ApprovalTicket {
  readonly ticketId: string
  readonly callId: string
  readonly trace: TraceRef
  readonly agent: string
  readonly tool: string
  readonly detail: string
  readonly requestedAtMs: number
}

/** Where approval tickets are recorded. */
export interface TicketStore {
  /** Records a ticket before anyone learns its id. */
  record(ticket: ApprovalTicket): Promise<void>
  find(ticketId: string): Promise<ApprovalTicket | null>
}
