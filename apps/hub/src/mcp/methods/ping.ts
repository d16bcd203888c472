import { type McpMethod, mcpMethod } from '../mcp-method.js'

/** `ping`, which only the legacy era has. */
export function ping(): McpMethod {
  return mcpMethod({
    name: 'ping',
    eras: ['legacy'],
    params: { type: 'object' },
    handle: () => ({ kind: 'complete', result: {} }),
  })
}
