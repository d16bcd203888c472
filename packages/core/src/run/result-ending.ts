import { HubError, type ToolResult } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import type { ChangeEvent } from '../call/state-table.js'
import { endingOfError, endingOfResult } from '../completion/ending.js'
import { SchemaError } from '../contract/schema-compiler.js'
import { findCalledTool } from './called-tool.js'
import type { RunPorts } from './run-ports.js'

/** The ending of a call whose tool gave this result, held to the contract that its agent lists now. */
export function endingOfToolResult(
  call: CallRecord,
  result: ToolResult,
  total: number | undefined,
  ports: Pick<RunPorts, 'catalogue' | 'clock' | 'contracts'>,
): EventDraft<ChangeEvent> {
  const executionTimeMs = Math.max(0, ports.clock.now() - (call.startedAtMs ?? call.createdAtMs))
  const found = findCalledTool(call, ports)
  const facts = { tool: call.tool, executionTimeMs, total }
  try {
    const contract = found === undefined ? undefined : ports.contracts.contractOf(found.tool, found.revision)
    return endingOfResult(result, contract, facts)
  } catch (thrown) {
    if (!(thrown instanceof SchemaError)) throw thrown
    const reason = `the schema of ${call.tool} cannot be used any more: ${thrown.message}`
    const place = { callId: call.callId, traceId: call.trace.traceId }
    return endingOfError('failed', new HubError('CONTRACT_BROKEN', reason, place), facts)
  }
}
