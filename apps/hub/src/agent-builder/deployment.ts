import { setImmediate as nextTurn } from 'node:timers/promises'
import { createToolServiceConnection } from '@synchub/connectors'
import {
  type AgentConnection,
  type CatalogueAgent,
  type Clock,
  createToolJudge,
  guardLists,
  guardReason,
  NO_OFFERS,
  type PublicPath,
  type ToolJudge,
} from '@synchub/core'
import { HubError, type Tool } from '@synchub/protocol'
import type { Logger } from '@synchub/telemetry'

/** How long the service may take to list its tools. */
const LIST_TIMEOUT_MS = 3000
/** Pause between two looks while the tools are not known at all. */
const FIRST_LOOK_PAUSE_MS = 2000

/** What a deployment works with. */
export interface DeploymentOptions {
  readonly path: PublicPath
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * The deployment behind one public path: its own connection, its own snapshot of the tools, refreshed at its own pace. Nothing of it
 * is shared with another, so that one that fails fails alone (S1.2).
 */
export class Deployment {
  readonly path: PublicPath
  readonly connection: AgentConnection
  /** Settles when the service was asked for its tools once, whatever came of it. */
  readonly firstLook: Promise<void>
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #judge: ToolJudge = createToolJudge()
  readonly #closing = new AbortController()
  #tools: readonly Tool[] = []
  #seen: CatalogueAgent
  #problem: string | undefined
  #unkept = ''
  #looking: Promise<void>
  #callOff = () => {}

  constructor({ path, clock, logger }: DeploymentOptions) {
    this.path = path
    this.#clock = clock
    this.#logger = logger.child({ deployment: path.agent.name })
    this.#seen = {
      name: path.agent.name,
      available: false,
      reason: 'it was not reached yet',
      tools: [],
      ...NO_OFFERS,
    }
    this.connection = createToolServiceConnection({
      ...path.agent,
      ...(path.fallbackManifest === undefined ? {} : { fallbackManifest: path.fallbackManifest }),
      // Calls go by the snapshot (S1.8), and their answers are the text that came (no structured results on these paths).
      maxManifestAgeMs: Number.POSITIVE_INFINITY,
      results: 'text',
      notice: (reason) => this.#logger.warn(reason),
    })
    this.#looking = this.#look()
    this.firstLook = this.#looking
  }

  /** The snapshot as admission and runs read it: without output schemas, which are not kept here (S1.8). */
  get seen(): CatalogueAgent {
    return this.#seen
  }

  /** The tools of the snapshot as they are listed. */
  get tools(): readonly Tool[] {
    return this.#tools
  }

  /** What is wrong with the last look; undefined where it went well. */
  get problem(): string | undefined {
    return this.#problem
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#callOff()
    await this.#looking
    await this.connection.close()
  }

  async #look(): Promise<void> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(LIST_TIMEOUT_MS), this.#closing.signal])
      const { offers, refused } = guardLists(await this.connection.listTools(signal), this.path.agent)
      const next = async () => {
        // Calls of all others run in this process too.
        await nextTurn()
        return !this.#closing.signal.aborted
      }
      this.#take(offers, await this.#judge({ offers: offers.map(withoutOutput), refused }, next))
    } catch (thrown) {
      if (!this.#closing.signal.aborted) this.#miss(HubError.from(thrown, 'its tools cannot be read'))
    }
    if (this.#closing.signal.aborted) return
    const { refreshMs } = this.path
    const pauseMs = this.#seen.available ? refreshMs : Math.min(refreshMs, FIRST_LOOK_PAUSE_MS)
    this.#callOff = this.#clock.schedule(pauseMs, () => {
      this.#looking = this.#look()
    })
  }

  #take(offers: readonly Tool[], judged: Pick<CatalogueAgent, 'tools' | 'refused'>): void {
    const seen = { name: this.path.agent.name, available: true, ...NO_OFFERS, ...judged }
    const usable = new Set(seen.tools.map(({ tool }) => tool.name))
    const isChanged = this.#problem !== undefined || JSON.stringify(seen) !== JSON.stringify(this.#seen)
    this.#seen = seen
    this.#problem = undefined
    this.#tools = offers
      .filter(({ name }) => usable.has(name))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    if (isChanged)
      this.#logger.info({ tools: usable.size, refused: seen.refused }, 'tools of the public path were read')
    if (this.path.profile === 'production') this.#reportOutputSchemas()
  }

  /** Once there are tools they hold, whatever becomes of the service's list: each call shows for itself whether it works. */
  #miss(error: HubError): void {
    const reason = guardReason(error.reason, this.path.agent)
    if (this.#problem === undefined) this.#logger.warn({ reason }, 'tools of the public path cannot be read')
    this.#problem = reason
    if (!this.#seen.available) this.#seen = { ...this.#seen, reason }
  }

  /** Clients of the official libraries refuse the answers of such tools, which have no structured result here (S1.8). */
  #reportOutputSchemas(): void {
    const tools = this.#tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)
    const found = tools.join(' ')
    if (found !== this.#unkept && found !== '') {
      this.#logger.warn(
        { tools },
        'tools have an outputSchema, which results on public paths do not keep: leave it out',
      )
    }
    this.#unkept = found
  }
}

function withoutOutput({ outputSchema: _unkept, ...tool }: Tool): Tool {
  return tool
}
