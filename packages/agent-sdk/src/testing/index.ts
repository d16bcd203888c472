export type { Question } from '../inputs/question.js'
export type { Questions } from '../inputs/round.js'
export { type TestAgent, testAgent } from './test-agent.js'
export type { CallScript, TestCall } from './test-call.js'
