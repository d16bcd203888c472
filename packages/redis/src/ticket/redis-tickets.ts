import type { ApprovalTicket, TicketStore } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
import { decodeTrace, encodeTrace } from '../index/call-index.js'

/** Approval tickets over Redis, one hash each. */
export function createTickets(link: RedisLink): TicketStore {
  return {
    async record({ trace, ...ticket }) {
      const fields = { ...ticket, trace: encodeTrace(trace) }
      await link.ask((client) => client.hset(link.keys.ticket(ticket.ticketId), fields))
    },
    async find(ticketId): Promise<ApprovalTicket | null> {
      const fields = await link.ask((client) => client.hgetall(link.keys.ticket(ticketId)))
      const { callId, trace, agent, tool, detail, requestedAtMs } = fields
      if (callId === undefined || trace === undefined) return null
      return {
        ticketId,
        callId,
        trace: decodeTrace(trace),
        agent: agent ?? '',
        tool: tool ?? '',
        detail: detail ?? '',
        requestedAtMs: Number(requestedAtMs),
      }
    },
  }
}
