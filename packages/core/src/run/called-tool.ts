import type { CallRecord } from '../call/call-record.js'
import type { CatalogueTool } from '../catalogue/catalogue.js'
import type { RunPorts } from './run-ports.js'

/** The tool that a call asks, as its agent lists it now; undefined where it does not any more. */
export function findCalledTool(
  call: Pick<CallRecord, 'agent' | 'tool'>,
  ports: Pick<RunPorts, 'catalogue'>,
): CatalogueTool | undefined {
  const agent = ports.catalogue().agents.find(({ name }) => name === call.agent)
  return agent?.tools.find(({ tool }) => tool.name === call.tool)
}
