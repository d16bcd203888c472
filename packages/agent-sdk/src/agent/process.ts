import { createLineLogger } from '../logging/logger.js'
import { type AgentServer, serveAgent } from '../server/agent-server.js'
import type { ServeOptions } from '../server/options.js'
import type { Agent } from './definition.js'

/**
 * Serves an agent as this process, for its `main.ts`: tells a parent process where it listens (`{listening: url}` over IPC), stops
 * on SIGINT, SIGTERM or when the parent has gone, and sets the exit code: 0 after a stop, 1 when it could not start. A second
 * signal ends the process at once.
 */
export async function runAgent(agent: Agent, options: ServeOptions): Promise<void> {
  const logger = options.logger ?? createLineLogger(process.stderr)
  let server: AgentServer
  try {
    server = await serveAgent(agent, { ...options, logger })
  } catch (err) {
    logger.error({}, err instanceof Error ? err.message : String(err))
    process.exitCode = 1
    // A parent's open channel would keep the process alive.
    if (process.connected) process.disconnect()
    return
  }
  let isStopping = false
  const stop = (): void => {
    if (isStopping) process.exit(1)
    isStopping = true
    void server.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  process.once('disconnect', () => {
    if (!isStopping) stop()
  })
  process.send?.({ listening: server.url })
}
