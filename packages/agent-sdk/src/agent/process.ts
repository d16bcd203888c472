import { type AgentLogger, createLineLogger } from '../logging/logger.js'
import { serveAgent } from '../server/agent-server.js'
import type { ServeOptions } from '../server/options.js'
import type { Agent } from './definition.js'
import { claimStdout, serveLines } from './stdio.js'
import type { Transport } from './transport.js'

/** How {@link runAgent} serves an agent. */
export interface RunOptions extends ServeOptions {
  /**
   * `http` (the default), or `stdio`: an MCP server on stdin and stdout, for the client that started this process. The logger must
   * then write to stderr. Of the other options those about HTTP do not count there.
   */
  readonly transport?: Transport
}

/** An agent that was started, whatever the transport. */
interface Started {
  /** Where it listens; absent over stdio. */
  readonly url?: string
  /** Resolves when it has ended by itself: its client has gone. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Serves an agent as this process, for its `main.ts`: tells a parent process where it listens (`{listening: url}` over IPC), stops
 * on SIGINT, SIGTERM, when the parent has gone or, over stdio, when stdin ends, and sets the exit code: 0 after a stop, 1 when it
 * could not start. A second signal ends the process at once.
 */
export async function runAgent(agent: Agent, { transport = 'http', ...options }: RunOptions): Promise<void> {
  const logger = options.logger ?? createLineLogger(process.stderr)
  let started: Started
  try {
    started = await start(agent, transport, { ...options, logger })
  } catch (err) {
    reportFailure(logger, err)
    return
  }
  let isStopping = false
  const stop = (): void => {
    if (isStopping) process.exit(1)
    isStopping = true
    void started.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  process.once('disconnect', () => {
    if (!isStopping) stop()
  })
  void started.ended.then(() => process.exit(0))
  if (started.url !== undefined) process.send?.({ listening: started.url })
}

async function start(agent: Agent, transport: Transport, options: ServeOptions): Promise<Started> {
  if (transport === 'http') {
    const { url, stop } = await serveAgent(agent, options)
    return { url, stop, ended: new Promise(() => undefined) }
  }
  const { ended, stop } = await serveLines(agent, options, { input: process.stdin, output: claimStdout() })
  return {
    ended,
    stop: async () => {
      stop()
      await ended
    },
  }
}

function reportFailure(logger: AgentLogger, err: unknown): void {
  logger.error({}, err instanceof Error ? err.message : String(err))
  process.exitCode = 1
  // A parent's open channel would keep the process alive.
  if (process.connected) process.disconnect()
}
