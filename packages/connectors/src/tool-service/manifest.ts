import type { OfferList } from '@synchub/core'
import type { Tool } from '@synchub/protocol'
import { collectOffers, TOOLS } from '../answer/offer-list.js'

/** A tool of a service, and where it is called. */
export interface ServiceTool {
  readonly tool: Tool
  /** Path and query on the service's origin. */
  readonly path: string
}

/** The tools of a service as its manifest lists them. */
export interface Manifest {
  readonly tools: ReadonlyMap<string, ServiceTool>
  readonly refused: OfferList<Tool>['refused']
}

/**
 * Reads a manifest: `{tools: [{name, description?, inputSchema, outputSchema?, endpoint}]}`. A tool whose endpoint lies on another
 * host is refused: arguments and secret go to the service that the configuration names, and nowhere else.
 * @param serviceUrl - what endpoints are relative to
 * @throws BrokenAnswerError when it is no manifest
 */
export async function parseManifest(value: unknown, serviceUrl: string): Promise<Manifest> {
  const paths = new Map<string, string>()
  const { offers, refused } = await collectOffers(
    TOOLS,
    async () => onlyTools(value),
    ({ name }, { endpoint }) => {
      if (typeof endpoint !== 'string' || !URL.canParse(endpoint, serviceUrl)) return 'it has no endpoint'
      const { origin, pathname, search } = new URL(endpoint, serviceUrl)
      if (origin !== new URL(serviceUrl).origin) return `its endpoint is not at ${new URL(serviceUrl).origin}`
      paths.set(name, pathname + search)
      return undefined
    },
  )
  return { tools: new Map(offers.map((tool) => [tool.name, { tool, path: paths.get(tool.name) ?? '' }])), refused }
}

/** A manifest has one page, whatever it says. */
function onlyTools(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tools' in value)) return value
  return { tools: value.tools }
}
