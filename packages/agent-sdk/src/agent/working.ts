import { pruneAnswers } from '../answers/retention.js'
import { AnswerStore } from '../answers/store.js'
import { StateSeal } from '../inputs/seal.js'
import { type AgentLogger, createLineLogger } from '../logging/logger.js'
import { Runs } from '../runs/runs.js'
import { SERVE_DEFAULTS, type ServeOptions } from '../server/options.js'
import type { Agent } from './definition.js'

/** An agent that can work, whichever way calls reach it. */
export interface WorkingAgent {
  readonly agent: Agent
  readonly runs: Runs
  readonly seal: StateSeal
  readonly logger: AgentLogger
  /** Starts nothing new, lets running calls end within their grace time. */
  readonly stop: () => Promise<void>
}

/**
 * Opens what an agent needs for its work: the store of its answers, which is cleaned from time to time.
 * @throws Error in one sentence, when `dataDir` cannot be written to
 */
export async function openAgent(agent: Agent, options: ServeOptions): Promise<WorkingAgent> {
  const settings = { ...SERVE_DEFAULTS, ...options }
  const logger = (options.logger ?? createLineLogger(process.stderr)).child({ agent: agent.name })
  const store = await AnswerStore.open(settings.dataDir)
  const seal = await StateSeal.open(settings.dataDir, settings.answerRetentionMs)
  const bounds = { maxAgeMs: settings.answerRetentionMs, maxCount: settings.maxStoredAnswers }
  await pruneAnswers(store.directory, bounds, Date.now())
  const runs = new Runs({ ...settings, store, seal, logger })
  const pruning = setInterval(() => {
    pruneAnswers(store.directory, bounds, Date.now()).catch((err: unknown) => {
      logger.error({ err }, `old answers in ${store.directory} could not be removed`)
    })
  }, settings.pruneIntervalMs)
  return {
    agent,
    runs,
    seal,
    logger,
    stop: async () => {
      clearInterval(pruning)
      await runs.stop(settings.stopGraceMs, settings.stopAbortMs)
    },
  }
}
