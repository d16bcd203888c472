import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentConnections } from '@synchub/connectors'
import {
  type AgentConfig,
  acceptOffers,
  type Catalogue,
  type CatalogueAgent,
  createToolJudge,
  guardLists,
  guardReason,
  NO_OFFERS,
  type OfferList,
  type ToolJudge,
} from '@synchub/core'
import { HubError, type Tool } from '@synchub/protocol'

/** How long an agent may take to list what it offers. */
const LIST_TIMEOUT_MS = 3000
/** How long schemas of one agent are compiled in one round: the calls of all others run in this process too. */
const COMPILE_TIME_MS = 1000

/** What discovery works with. */
export interface DiscoveryPorts {
  readonly agents: readonly AgentConfig[]
  readonly connections: AgentConnections
  read(): Promise<Catalogue>
  write(agents: readonly CatalogueAgent[], knownVersion: number): Promise<number | null>
  /** Told when an agent comes or goes, or what it offers changes. */
  onChange(agent: CatalogueAgent): void
}

/**
 * Makes one round of discovery: asks every agent for what it offers and writes the catalogue where something changed. An agent that
 * does not answer keeps what it had, marked as not available.
 */
export function createDiscovery({
  agents,
  connections,
  read,
  write,
  onChange,
}: DiscoveryPorts): (isLost: AbortSignal) => Promise<void> {
  const judges = new Map(agents.map(({ name }) => [name, createToolJudge()]))
  return async (isLost) => {
    const known = await read()
    const found = await Promise.all(
      agents.map(async (agent) =>
        look(
          agent,
          connections,
          judges.get(agent.name) ?? createToolJudge(),
          known.agents.find(({ name }) => name === agent.name),
        ),
      ),
    )
    const changed = found.filter(
      (agent) => JSON.stringify(agent) !== JSON.stringify(known.agents.find(({ name }) => name === agent.name)),
    )
    // The first round is always written, so that hubs know that the agents have been looked up.
    if (known.version > 0 && changed.length === 0 && found.length === known.agents.length) return
    // Another looks the agents up by now, or has done so already: its findings are newer, and stand.
    if (isLost.aborted || (await write(found, known.version)) === null) return
    changed.forEach(onChange)
  }
}

async function look(
  agent: AgentConfig,
  connections: AgentConnections,
  judge: ToolJudge,
  known: CatalogueAgent | undefined,
): Promise<CatalogueAgent> {
  const { name } = agent
  const connection = connections.get(name)
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
  try {
    const listed = guardLists((await connection?.listTools(signal)) ?? NO_TOOLS, agent)
    const offers = guardLists(acceptOffers((await connection?.offers.list(signal)) ?? NO_OFFERS), agent)
    const tools = await judge(listed, turnsWithin(COMPILE_TIME_MS), known?.tools)
    return { name, available: true, ...offers, ...tools, refused: [...tools.refused, ...offers.refused] }
  } catch (thrown) {
    const { reason } = HubError.from(thrown)
    return { ...NOTHING, ...known, name, available: false, reason: guardReason(reason, agent) }
  }
}

function turnsWithin(timeMs: number): () => Promise<boolean> {
  const endsAt = performance.now() + timeMs
  return async () => {
    await nextTurn()
    return performance.now() < endsAt
  }
}

const NO_TOOLS: OfferList<Tool> = { offers: [], refused: [] }
const NOTHING = { ...NO_OFFERS, tools: [] }
