import { ToolError } from '@synchub/agent-sdk'

/** What is wrong with a plan: the place, what may stand there, and what to do about it. */
export function invalidPlan(path: string, expected: string, remedy: string): ToolError {
  return new ToolError('INVALID_PARAMS', `${path} must be ${expected}: ${remedy}`, { path, expected })
}
