export {
  type ErrorCode,
  type ErrorDetails,
  HubError as ToolError,
  type HubErrorOptions as ToolErrorOptions,
} from '@synchub/protocol'
export { type Agent, type AgentOptions, defineAgent } from './agent/definition.js'
export { type RunOptions, runAgent } from './agent/process.js'
export { readTransport, type Transport } from './agent/transport.js'
export type { Completer, CompletionContext } from './completion/completer.js'
export type { InputAnswers } from './inputs/answers.js'
export type { FormAnswer, InputForm } from './inputs/form.js'
export type { InputPage, PageAnswer } from './inputs/page.js'
export type { CanAsk } from './inputs/question.js'
export type { InputSample, SampleAnswer, SampleMessage } from './inputs/sample.js'
export { type InputOptions, type InputQuestions, InputWish, inputRequired } from './inputs/wish.js'
export { type AgentLogger, createLineLogger, type LineSink } from './logging/logger.js'
export {
  type AgentPrompt,
  definePrompt,
  type PromptArgument,
  type PromptMessage,
  type PromptOptions,
} from './prompts/definition.js'
export {
  type AgentResource,
  defineResource,
  type PageRequest,
  type ResourceBody,
  type ResourceEntry,
  type ResourceOptions,
  type ResourcePage,
} from './resources/definition.js'
export type { ReadContext } from './resources/read-context.js'
export { type AgentServer, serveAgent } from './server/agent-server.js'
export type { ServeOptions } from './server/options.js'
export type { HandlerResult, HandlerReturn, ProgressUpdate, ToolContext, ToolHandler } from './tools/context.js'
export { type AgentTool, defineTool, type ToolOptions } from './tools/definition.js'
