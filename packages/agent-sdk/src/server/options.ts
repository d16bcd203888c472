import type { AgentLogger } from '../logging/logger.js'

/** How an agent is served. */
export interface ServeOptions {
  /** Address to listen on. Default 127.0.0.1; one beyond loopback needs a `secret`. */
  readonly host?: string
  /** Default 0: a free port, which {@link AgentServer.url} names. */
  readonly port?: number
  /** Folder for what the agent keeps; answers lie in `answers` below it. One agent, one folder. */
  readonly dataDir: string
  /** What the hub must send as `Authorization: Bearer <secret>`. Default none: only this machine is served. */
  readonly secret?: string
  /** Default: lines of JSON on stderr. A pino logger fits. */
  readonly logger?: AgentLogger
  /** Largest request, in bytes. Default 8 MiB. */
  readonly maxBodyBytes?: number
  /** Largest answer, in bytes of JSON. Default 16 MiB; a larger one is the handler's fault. */
  readonly maxAnswerBytes?: number
  /** Most handlers at work at the same time; further calls answer AGENT_UNAVAILABLE. Default 256. */
  readonly maxRunningCalls?: number
  /** Time between the comments that show that a stream lives, in milliseconds. Default 10,000. */
  readonly heartbeatIntervalMs?: number
  /** How long work goes on while nobody is connected, in milliseconds. Default 20,000. */
  readonly orphanGraceMs?: number
  /** How long running work may go on after `stop()`, in milliseconds. Default 10,000. */
  readonly stopGraceMs?: number
  /** How long handlers have to return once their signal aborted at the stop, in milliseconds. Default 1,000. */
  readonly stopAbortMs?: number
  /** How long an answer is kept for repeats, in milliseconds. Default 24 hours. */
  readonly answerRetentionMs?: number
  /** Most answers that are kept. Default 10,000. */
  readonly maxStoredAnswers?: number
  /** Time between two cleanings of stored answers, in milliseconds. Default 10 minutes. */
  readonly pruneIntervalMs?: number
}

/** Every option of {@link ServeOptions} but those that have no default. */
export const SERVE_DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  maxBodyBytes: 8 * 1024 * 1024,
  maxAnswerBytes: 16 * 1024 * 1024,
  maxRunningCalls: 256,
  heartbeatIntervalMs: 10_000,
  orphanGraceMs: 20_000,
  stopGraceMs: 10_000,
  stopAbortMs: 1_000,
  answerRetentionMs: 24 * 60 * 60 * 1000,
  maxStoredAnswers: 10_000,
  pruneIntervalMs: 10 * 60 * 1000,
} as const
