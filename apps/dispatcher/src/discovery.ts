import type { AgentConnections } from '@synchub/connectors'
import {
  type AgentConfig,
  type Catalogue,
  type CatalogueAgent,
  type CatalogueTool,
  compileSchema,
  toolRevision,
} from '@synchub/core'
import { HubError, isToolName, TOOL_NAME_RULE, type Tool } from '@synchub/protocol'

/** How long an agent may take to list its tools. */
const LIST_TIMEOUT_MS = 3000

/** What discovery works with. */
export interface DiscoveryPorts {
  readonly agents: readonly AgentConfig[]
  readonly connections: AgentConnections
  read(): Promise<Catalogue>
  write(agents: readonly CatalogueAgent[]): Promise<number>
  /** Told when an agent comes or goes, or its tools change. */
  onChange(agent: CatalogueAgent): void
}

/**
 * Makes one round of discovery: asks every agent for its tools and writes the catalogue where something changed. An agent that
 * does not answer keeps the tools that it had, marked as not available.
 */
export function createDiscovery({ agents, connections, read, write, onChange }: DiscoveryPorts): () => Promise<void> {
  // Compiling a schema costs milliseconds, and most rounds bring what the one before has brought.
  const judges = new Map(agents.map(({ name }) => [name, createJudge()]))
  return async () => {
    const known = await read()
    const found = await Promise.all(
      agents.map(async ({ name }) =>
        look(
          name,
          connections,
          judges.get(name) ?? createJudge(),
          known.agents.find((agent) => agent.name === name),
        ),
      ),
    )
    const changed = found.filter(
      (agent) => JSON.stringify(agent) !== JSON.stringify(known.agents.find(({ name }) => name === agent.name)),
    )
    // The first round is always written, so that hubs know that the agents have been looked up.
    if (known.version > 0 && changed.length === 0 && found.length === known.agents.length) return
    await write(found)
    changed.forEach(onChange)
  }
}

async function look(
  name: string,
  connections: AgentConnections,
  judge: Judge,
  known: CatalogueAgent | undefined,
): Promise<CatalogueAgent> {
  try {
    const tools = await connections.get(name)?.listTools(AbortSignal.timeout(LIST_TIMEOUT_MS))
    return { name, available: true, ...sortOut(judge(tools ?? [])) }
  } catch (thrown) {
    const { reason } = HubError.from(thrown)
    return { name, available: false, reason, tools: known?.tools ?? [], refused: known?.refused ?? [] }
  }
}

/** A tool with the digest of its schemas, and why it cannot be used. */
interface JudgedTool extends CatalogueTool {
  readonly fault: string | undefined
}

/** Judges the tools of one agent; remembers what it said of the last list. */
type Judge = (tools: readonly Tool[]) => readonly JudgedTool[]

function createJudge(): Judge {
  let known = new Map<string, string | undefined>()
  return (tools) => {
    const judged = tools.map((tool) => {
      const revision = toolRevision(tool)
      return { tool, revision, fault: known.has(revision) ? known.get(revision) : findFault(tool) }
    })
    known = new Map(judged.map(({ revision, fault }) => [revision, fault]))
    return judged
  }
}

/** A tool that cannot be used is refused alone, with its reason; the others stay. */
function sortOut(tools: readonly JudgedTool[]): Pick<CatalogueAgent, 'tools' | 'refused'> {
  const accepted = new Map<string, CatalogueTool>()
  const refused: { tool: string; reason: string }[] = []
  for (const { tool, revision, fault } of tools) {
    const reason = fault ?? (accepted.has(tool.name) ? 'the agent lists this name twice' : undefined)
    if (reason === undefined) accepted.set(tool.name, { tool, revision })
    else refused.push({ tool: tool.name, reason })
  }
  return {
    tools: [...accepted.values()].toSorted((left, right) => (left.tool.name < right.tool.name ? -1 : 1)),
    refused,
  }
}

function findFault({ name, inputSchema, outputSchema }: Tool): string | undefined {
  if (!isToolName(name)) return `its name must be ${TOOL_NAME_RULE}`
  return (
    faultOfSchema('inputSchema', inputSchema) ??
    (outputSchema === undefined ? undefined : faultOfSchema('outputSchema', outputSchema))
  )
}

function faultOfSchema(member: string, schema: Tool['inputSchema']): string | undefined {
  try {
    compileSchema(schema)
    return undefined
  } catch (thrown) {
    return `${member}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  }
}
