export { type AgentConnections, type ConnectOptions, connectAgents } from './agent-connections.js'
export { createMcpHttpConnection, type McpHttpConnectionOptions } from './mcp-http/mcp-http-connection.js'
export { createMcpStdioConnection, type McpStdioConnectionOptions } from './mcp-stdio/mcp-stdio-connection.js'
export { createNativeConnection, type NativeConnectionOptions } from './native/native-connection.js'
export {
  createToolServiceConnection,
  type ToolServiceConnectionOptions,
} from './tool-service/tool-service-connection.js'
