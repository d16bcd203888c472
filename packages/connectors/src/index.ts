export { type AgentConnections, connectAgents } from './agent-connections.js'
export { createNativeConnection, type NativeConnectionOptions } from './native/native-connection.js'
