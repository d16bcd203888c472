import { HubError, type ToolResult, toErrorObject } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import { instanceOf } from '../call/problem-instance.js'
import type { ChangeEvent } from '../call/state-table.js'
import { SchemaError } from '../contract/schema-compiler.js'
import type { ToolContract } from '../contract/tool-contract.js'

/** What the terminal event needs to know of the run. */
export interface RunFacts {
  readonly tool: string
  readonly executionTimeMs: number
  /** The last total that the agent reported. */
  readonly total: number | undefined
}

type Ending = EventDraft<ChangeEvent>

/**
 * The ending of a run whose agent answered: the result is checked against its contract first, so that a broken one never
 * reaches the caller as a success (completion step 2, S4.8). The tool's own failure (`isError`) promises no structure.
 */
export function endingOfResult(result: ToolResult, contract: ToolContract | undefined, facts: RunFacts): Ending {
  const problem = result.isError ? undefined : findContractProblem(result, contract)
  if (problem !== undefined) return endingOfError('failed', new HubError('CONTRACT_BROKEN', problem), facts)
  const total = facts.total ?? 100
  return {
    event: 'complete',
    data: {
      progress: total,
      total,
      ...(result.structuredContent === undefined ? {} : { result: result.structuredContent }),
      content: result.content,
      isError: result.isError,
      executionTimeMs: facts.executionTimeMs,
      ...(result.tokenUsage === undefined ? {} : { tokenUsage: result.tokenUsage }),
    },
  }
}

/** The ending of a run that failed, or whose outcome is not known. */
export function endingOfError(
  event: 'failed' | 'unknown' | 'cancelled',
  error: HubError,
  facts: { tool: string },
): Ending {
  return { event, data: { error: toErrorObject(error, instanceOf(facts)) } }
}

function findContractProblem(result: ToolResult, contract: ToolContract | undefined): string | undefined {
  if (contract?.checkResult === undefined) return undefined
  if (result.structuredContent === undefined) return 'the agent promised a structured result and sent none'
  try {
    const violation = contract.checkResult(result.structuredContent)
    return violation === undefined ? undefined : `the agent's result does not keep its schema: ${violation.reason}`
  } catch (thrown) {
    if (thrown instanceof SchemaError) return `the agent's result cannot be checked: ${thrown.message}`
    throw thrown
  }
}
