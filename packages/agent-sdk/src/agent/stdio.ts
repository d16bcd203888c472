import { Writable } from 'node:stream'
import { type LineStreams, McpLineServer } from '../mcp/line-server.js'
import { SERVE_DEFAULTS, type ServeOptions } from '../server/options.js'
import type { Agent } from './definition.js'
import { openAgent } from './working.js'

/** An agent that serves one client by lines. */
export interface LineServed {
  /** Resolves once the client has closed its side, or {@link LineServed.stop} was called, and what was said is sent. */
  readonly ended: Promise<void>
  /** Lets running calls end within their grace time, then ends. */
  readonly stop: () => void
}

/**
 * Serves an agent as an MCP server over two streams. When the input ends, running calls may still end within their grace time.
 * @throws Error in one sentence, when it cannot write to `dataDir`
 */
export async function serveLines(
  agent: Agent,
  options: ServeOptions,
  { input, output }: LineStreams,
): Promise<LineServed> {
  const { maxAnswerBytes, maxBodyBytes, stopGraceMs, stopAbortMs } = { ...SERVE_DEFAULTS, ...options }
  const { runs, seal, logger, stop } = await openAgent(agent, options)
  const server = new McpLineServer({ agent, runs, seal, logger, maxAnswerBytes }, output)
  // Each open request listens for the reader to catch up; there is no bound that would tell a leak.
  output.setMaxListeners(0)
  // A client that has gone is told nothing more; its input ends too.
  output.on('error', () => input.destroy())
  const serve = async (): Promise<void> => {
    try {
      await server.serve(input, maxBodyBytes)
    } catch (err) {
      // Closed by us or broken by the client's end: either way there is no more input.
      logger.debug({ err }, 'the input was cut')
    }
    const answered = Promise.all([stop(), server.answered()]).then(() => undefined)
    await within(stopGraceMs + stopAbortMs, answered)
    const flushed = new Promise<void>((resolve) => {
      output.once('close', resolve)
      output.end(resolve)
    })
    await within(stopAbortMs, flushed)
    logger.info({}, `agent ${agent.name} has stopped`)
  }
  logger.info({}, `agent ${agent.name} serves MCP on stdin and stdout`)
  return { ended: serve(), stop: () => input.destroy() }
}

/**
 * Takes stdout for the protocol alone. What else writes there in this process, a stray console.log say, goes to stderr: a single
 * foreign line would break the client.
 */
export function claimStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      write(chunk, (error) => done(error))
    },
  })
  process.stdout.on('error', (error) => output.destroy(error))
  return output
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, patience])
  clearTimeout(timer)
}
