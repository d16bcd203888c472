export type { Question, Questions } from '../inputs/question.js'
export { type TestAgent, testAgent } from './test-agent.js'
export type { CallScript, TestCall } from './test-call.js'
