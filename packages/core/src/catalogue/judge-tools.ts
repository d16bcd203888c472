import { isToolName, TOOL_NAME_RULE, type Tool } from '@synchub/protocol'
import { compileSchema } from '../contract/schema-compiler.js'
import { toolRevision } from '../contract/tool-contract.js'
import type { CatalogueAgent, CatalogueTool } from './catalogue.js'

/** Sorts the tools that an agent lists into those that can be used, by name, and those that cannot, each with its reason. */
export type ToolJudge = (tools: readonly Tool[]) => Pick<CatalogueAgent, 'tools' | 'refused'>

/**
 * Makes the judge of one agent's tools; a tool that cannot be used is refused alone. It remembers what it said of the last list:
 * compiling a schema costs milliseconds, and most lists bring what the one before has brought.
 */
export function createToolJudge(): ToolJudge {
  let known = new Map<string, string | undefined>()
  return (tools) => {
    const judged = tools.map((tool) => {
      const revision = toolRevision(tool)
      return { tool, revision, fault: known.has(revision) ? known.get(revision) : findFault(tool) }
    })
    known = new Map(judged.map(({ revision, fault }) => [revision, fault]))
    return sortOut(judged)
  }
}

/** A tool with the digest of its schemas, and why it cannot be used. */
interface JudgedTool extends CatalogueTool {
  readonly fault: string | undefined
}

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
