export type { AgentList, AgentView } from './calls/agent-view.js'
export {
  type CallState,
  ENDED_STATES,
  type EndedState,
  isOpenState,
  OPEN_STATES,
  TRACE_STATE_ORDER,
  type TraceState,
} from './calls/call-state.js'
export type {
  CallNode,
  CallSummary,
  CallView,
  Links,
  Page,
  ProgressView,
  TraceSummary,
  TraceView,
} from './calls/views.js'
export {
  ERROR_CODES,
  ERROR_TABLE,
  type ErrorCode,
  type ErrorDefinition,
  type ErrorLayer,
  errorDefinition,
  isErrorCode,
  type RetryAdvice,
} from './errors/error-code.js'
export {
  fromErrorObject,
  type JsonRpcErrorObject,
  type ProblemData,
  problemType,
  toErrorObject,
} from './errors/error-object.js'
export { type ErrorDetails, HubError, type HubErrorOptions } from './errors/hub-error.js'
export {
  type CompleteData,
  EVENT_NAMES,
  type EventDataByName,
  type EventEnvelope,
  type EventName,
  type FailureData,
  isTerminalEvent,
  type PlainData,
  type ProgressData,
  type ReceivedData,
  type ResetReason,
  type RetryingData,
  type StartedData,
  TERMINAL_EVENTS,
  type TerminalEventName,
  type TraceEvent,
} from './events/trace-event.js'
export {
  type Body,
  type BodyLimits,
  type Frame,
  isJsonObject,
  type JsonObject,
  parseBody,
  parseFrame,
  type RequestId,
} from './json-rpc/frame.js'
export { errorResponse, type JsonRpcResponse, resultResponse } from './json-rpc/response.js'
export { readSse, SseFormatError, type SseItem } from './sse/decode.js'
export { encodeSseComment, encodeSseEvent, encodeSseRetry, type SseEvent } from './sse/encode.js'
export {
  type CallResult,
  parseTokenUsage,
  parseToolResult,
  type TokenUsage,
  type ToolResult,
  ToolResultError,
} from './tools/call-result.js'
export type { ContentItem, EmbeddedResource, OpaqueContent, TextContent } from './tools/content.js'
export {
  AGENT_NAME_RULE,
  IDEMPOTENCY_KEY_RULE,
  isAgentName,
  isIdempotencyKey,
  isToolName,
  isTraceId,
  TOOL_NAME_RULE,
  TRACE_ID_RULE,
} from './tools/names.js'
export type { CallMode, ListedTool, Tool } from './tools/tool.js'
