import type { Tool } from '@synchub/protocol'
import { compileSchema } from '../contract/schema-compiler.js'
import { toolRevision } from '../contract/tool-contract.js'
import type { OfferList, RefusedOffer } from '../offers/agent-offers.js'
import type { CatalogueAgent, CatalogueTool } from './catalogue.js'

/** Sorts the tools that an agent lists into those that can be used, by name, and those that cannot, each with its reason. */
export type ToolJudge = (list: OfferList<Tool>) => Pick<CatalogueAgent, 'tools' | 'refused'>

/**
 * Makes the judge of one agent's tools; a tool that cannot be used is refused alone. It remembers what it said of the last list:
 * compiling a schema costs milliseconds, and most lists bring what the one before has brought.
 */
export function createToolJudge(): ToolJudge {
  let known = new Map<string, string | undefined>()
  return ({ offers, refused }) => {
    const judged = offers.map((tool) => {
      const revision = toolRevision(tool)
      return { tool, revision, fault: known.has(revision) ? known.get(revision) : findFault(tool) }
    })
    known = new Map(judged.map(({ revision, fault }) => [revision, fault]))
    return sortOut(judged, refused)
  }
}

/** A tool with the digest of its schemas, and why it cannot be used. */
interface JudgedTool extends CatalogueTool {
  readonly fault: string | undefined
}

function sortOut(
  tools: readonly JudgedTool[],
  misshapen: readonly RefusedOffer[],
): Pick<CatalogueAgent, 'tools' | 'refused'> {
  const accepted: CatalogueTool[] = []
  const refused: RefusedOffer[] = [...misshapen]
  for (const { tool, revision, fault } of tools) {
    if (fault === undefined) accepted.push({ tool, revision })
    else refused.push({ kind: 'tool', name: tool.name, reason: fault })
  }
  return { tools: accepted.toSorted((left, right) => (left.tool.name < right.tool.name ? -1 : 1)), refused }
}

function findFault({ inputSchema, outputSchema }: Tool): string | undefined {
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
