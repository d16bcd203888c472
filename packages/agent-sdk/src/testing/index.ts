export { type TestAgent, testAgent } from './test-agent.js'
export type { CallScript, TestCall } from './test-call.js'
