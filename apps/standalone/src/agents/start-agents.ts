import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type AgentProcess, startAgentProcess } from './agent-process.js'
import { REFERENCE_AGENTS } from './reference-agents.js'

/** How the reference agents are started. */
export interface AgentsStart {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly dataDir: string
  readonly logDir: string
  readonly logLevel: string
  onProgress(line: string): void
}

/** The running reference agents. */
export interface RunningAgents {
  /** Addresses and secret, under the variables by which the configuration names them. */
  readonly variables: Readonly<Record<string, string | undefined>>
  stop(): Promise<void>
}

const SECRET_VARIABLE = 'SYNCHUB_AGENT_SECRET'

/** Starts every reference agent whose address is not given, all at once. @throws StartError */
export async function startAgents(start: AgentsStart): Promise<RunningAgents> {
  const { variables, dataDir, logDir, logLevel, onProgress } = start
  const secret = variables[SECRET_VARIABLE] ?? randomBytes(24).toString('base64url')
  const wanted = REFERENCE_AGENTS.filter(({ urlVariable }) => variables[urlVariable] === undefined)
  const started = await Promise.allSettled(
    wanted.map(({ name, program, folder }) =>
      startAgentProcess({
        name,
        program,
        logFile: join(logDir, `${folder}.log`),
        environment: {
          ...withoutServerVariables(variables),
          HOST: '127.0.0.1',
          DATA_DIR: join(dataDir, folder),
          LOG_LEVEL: logLevel,
          [SECRET_VARIABLE]: secret,
        },
        onRestart: (reason) => onProgress(`${name} ${reason}`),
      }),
    ),
  )
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => void (await Promise.all(running.map((agent) => agent.stop())))
  const failed = started.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  const addresses = wanted.map(({ urlVariable }, at) => [urlVariable, (running[at] as AgentProcess).url])
  return { variables: { ...variables, ...Object.fromEntries(addresses), [SECRET_VARIABLE]: secret }, stop }
}

/** The hub's own address and the store are no business of an agent's. */
function withoutServerVariables(variables: AgentsStart['variables']): Record<string, string | undefined> {
  const { PORT: _port, REDIS_URL: _redis, ...rest } = variables
  return rest
}
