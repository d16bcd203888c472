import type { AgentCallRequest, AgentConnection, AgentOutcome, AgentProgress } from '@synchub/core'

/** The call that tests make. */
export const REQUEST: AgentCallRequest = {
  callId: 'call-1',
  traceId: 'trace-1',
  attempt: 2,
  tool: 'work',
  arguments: { city: 'Seoul' },
  deadline: '2027-01-01T00:00:00.000Z',
  callerAgent: 'SyncVerse',
  targetAgent: 'Rogue',
}

/** An outcome with what came before it. */
export interface SeenCall {
  readonly outcome: AgentOutcome
  readonly progress: readonly AgentProgress[]
  readonly signsOfLife: number
}

/** Calls once and notes everything that is told. */
export async function call(
  connection: AgentConnection,
  signal = new AbortController().signal,
  request: Partial<AgentCallRequest> = {},
): Promise<SeenCall> {
  const progress: AgentProgress[] = []
  let signsOfLife = 0
  const observer = {
    async onProgress(update: AgentProgress) {
      progress.push(update)
    },
    onSignOfLife() {
      signsOfLife++
    },
  }
  const outcome = await connection.call({ ...REQUEST, ...request }, observer, signal)
  return { outcome, progress, signsOfLife }
}

let calls = 0

/** Calls a tool once, under a callId of its own. */
export function callTool(
  connection: AgentConnection,
  tool: string,
  args: AgentCallRequest['arguments'] = {},
  signal?: AbortSignal,
): Promise<SeenCall> {
  return call(connection, signal, { callId: `call-${tool}-${++calls}`, tool, arguments: args })
}
