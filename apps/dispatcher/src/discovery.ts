import type { AgentConnections } from '@synchub/connectors'
import { type AgentConfig, type Catalogue, type CatalogueAgent, compileSchema, toolRevision } from '@synchub/core'
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
 * Asks every agent for its tools once and writes the catalogue where something changed. An agent that does not answer keeps
 * the tools that it had, marked as not available.
 */
export async function discover({ agents, connections, read, write, onChange }: DiscoveryPorts): Promise<void> {
  const known = await read()
  const found = await Promise.all(
    agents.map(async ({ name }) =>
      look(
        name,
        connections,
        known.agents.find((agent) => agent.name === name),
      ),
    ),
  )
  const changed = found.filter(
    (agent) => JSON.stringify(agent) !== JSON.stringify(known.agents.find(({ name }) => name === agent.name)),
  )
  if (changed.length === 0 && found.length === known.agents.length) return
  await write(found)
  changed.forEach(onChange)
}

async function look(
  name: string,
  connections: AgentConnections,
  known: CatalogueAgent | undefined,
): Promise<CatalogueAgent> {
  try {
    const tools = await connections.get(name)?.listTools(AbortSignal.timeout(LIST_TIMEOUT_MS))
    return { name, available: true, ...sortOut(tools ?? []) }
  } catch (thrown) {
    const { reason } = HubError.from(thrown)
    return { name, available: false, reason, tools: known?.tools ?? [], refused: known?.refused ?? [] }
  }
}

/** A tool that cannot be used is refused alone, with its reason; the others stay. */
function sortOut(tools: readonly Tool[]): Pick<CatalogueAgent, 'tools' | 'refused'> {
  const accepted = new Map<string, Tool>()
  const refused: { tool: string; reason: string }[] = []
  for (const tool of tools) {
    const reason = findFault(tool) ?? (accepted.has(tool.name) ? 'the agent lists this name twice' : undefined)
    if (reason === undefined) accepted.set(tool.name, tool)
    else refused.push({ tool: tool.name, reason })
  }
  const byName = [...accepted.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
  return { tools: byName.map((tool) => ({ tool, revision: toolRevision(tool) })), refused }
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
