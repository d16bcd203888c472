import type { Tool } from '@synchub/protocol'
import { compileSchema } from '../contract/schema-compiler.js'
import { toolRevision } from '../contract/tool-contract.js'
import type { OfferList, RefusedOffer } from '../offers/agent-offers.js'
import type { CatalogueAgent, CatalogueTool } from './catalogue.js'

/**
 * Sorts the tools that an agent lists into those that can be used, by name, and those that cannot, each with its reason.
 * @param next - lets other work have its turn before one more schema is compiled; false where this list has had its time: what is
 * left stays as it was, is refused for now where it is new, and looked at when the list comes again
 * @param accepted - tools that could be used when they were looked at last, perhaps by somebody who is gone
 */
export type ToolJudge = (
  list: OfferList<Tool>,
  next: () => Promise<boolean>,
  accepted?: readonly CatalogueTool[],
) => Promise<Pick<CatalogueAgent, 'tools' | 'refused'>>

const NOT_YET = 'it is not checked yet: the agent lists more than can be checked at once'

/**
 * Makes the judge of one agent's tools; a tool that cannot be used is refused alone. It remembers what it said of the last list:
 * compiling a schema costs some 10 ms, and most lists bring what the one before has brought.
 */
export function createToolJudge(): ToolJudge {
  let known = new Map<string, string | undefined>()
  return async ({ offers, refused }, next, accepted = []) => {
    const judged: JudgedTool[] = []
    const standing = new Set(accepted.map(({ revision }) => revision))
    const seen = new Map<string, string | undefined>()
    let hasTime = true
    let compiled = 0
    for (const tool of offers) {
      const revision = toolRevision(tool)
      if (!known.has(revision)) {
        // The first one always, so that every list brings us on.
        hasTime &&= compiled === 0 || (await next())
        if (hasTime) known.set(revision, findFault(tool))
        compiled++
      }
      const isJudged = known.has(revision)
      if (isJudged) seen.set(revision, known.get(revision))
      const isPending = !isJudged && !standing.has(revision)
      judged.push({ tool, revision, fault: isPending ? NOT_YET : known.get(revision), isPending })
    }
    known = seen
    return sortOut(judged, refused)
  }
}

/** A tool with the digest of its schemas, and why it cannot be used. */
interface JudgedTool extends CatalogueTool {
  readonly fault: string | undefined
  readonly isPending: boolean
}

function sortOut(
  tools: readonly JudgedTool[],
  misshapen: readonly RefusedOffer[],
): Pick<CatalogueAgent, 'tools' | 'refused'> {
  const accepted: CatalogueTool[] = []
  const refused: RefusedOffer[] = [...misshapen]
  for (const { tool, revision, fault, isPending } of tools) {
    if (fault === undefined) accepted.push({ tool, revision })
    else refused.push({ kind: 'tool', name: tool.name, reason: fault, ...(isPending ? { pending: true } : {}) })
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
