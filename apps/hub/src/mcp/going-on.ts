import { declaresTasks, HubError, readMcpHeader } from '@synchub/protocol'
import type { SubmittedCall } from '../calls/call-desk.js'
import type { McpCall } from './mcp-method.js'

/**
 * The failure of a wait, with a next step that there is for this very client: the other surfaces name methods that MCP does not have.
 * @param key - whether the request has an idempotency key
 */
export function tellWhereItGoesOn(thrown: unknown, begun: SubmittedCall, call: McpCall, key: boolean): unknown {
  if (!(thrown instanceof HubError) || thrown.code !== 'DEADLINE_EXCEEDED') return thrown
  const { callId, trace, mode } = begun
  const again = key ? ', or send it again with the same key: it is not done twice' : ' and do not send it again'
  const where =
    mode === 'queued' && knowsTasks(call)
      ? `ask tasks/get with the taskId ${callId}`
      : `read the resource trace://${encodeURIComponent(trace.traceId)} for how it stands, or GET /calls/${callId} of this hub for what came of it`
  return thrown.with({ nextStep: `The call goes on: ${where}${again}.` })
}

function knowsTasks({ era, clientCapabilities, headers }: McpCall): boolean {
  // The revision before the utility knows nothing of it.
  if (era === 'legacy') return readMcpHeader(headers, 'mcp-protocol-version') !== '2025-06-18'
  return declaresTasks(clientCapabilities)
}
