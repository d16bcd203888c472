import type { Tool } from '@synchub/protocol'
import type { ToolCollector } from '../answer/tool-list.js'

/** A tool of a service, and where it is called. */
export interface ServiceTool {
  readonly tool: Tool
  /** Path and query on the service's origin. */
  readonly path: string
}

/** The tools of a service as its manifest lists them. */
export type Manifest = ReadonlyMap<string, ServiceTool>

/**
 * Reads a manifest: `{tools: [{name, description?, inputSchema, outputSchema?, endpoint}]}`. A tool whose endpoint lies on another
 * host is left out: arguments and secret go to the service that the configuration names, and nowhere else.
 * @param serviceUrl - what endpoints are relative to
 * @throws BrokenAnswerError when it is no manifest
 */
export async function parseManifest(value: unknown, serviceUrl: string, collect: ToolCollector): Promise<Manifest> {
  const paths = new Map<string, string>()
  const tools = await collect(
    async () => onlyTools(value),
    ({ name }, { endpoint }) => {
      if (typeof endpoint !== 'string' || !URL.canParse(endpoint, serviceUrl)) return `${name} has no endpoint`
      const { origin, pathname, search } = new URL(endpoint, serviceUrl)
      if (origin !== new URL(serviceUrl).origin)
        return `the endpoint of ${name} is not at ${new URL(serviceUrl).origin}`
      paths.set(name, pathname + search)
      return undefined
    },
  )
  return new Map(tools.map((tool) => [tool.name, { tool, path: paths.get(tool.name) ?? '' }]))
}

/** A manifest has one page, whatever it says. */
function onlyTools(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tools' in value)) return value
  return { tools: value.tools }
}
