export {
  ARCHIVE_VERSION,
  type ArchivedResult,
  type ArchiveHeader,
  encodeArchiveCall,
  encodeArchiveEnd,
  encodeArchiveEvent,
  encodeArchiveHeader,
  encodeArchiveResult,
} from './archive/archive-lines.js'
export { type ArchiveItem, readArchive } from './archive/read-archive.js'
export {
  type AgentList,
  type AgentPace,
  type AgentView,
  describeRefused,
  type RefusedView,
} from './calls/agent-view.js'
export {
  BAD_ENDINGS,
  type CallEnding,
  type CallState,
  ENDED_STATES,
  type EndedState,
  isBadEnding,
  isOpenState,
  OPEN_STATES,
  shownStateOf,
  TRACE_STATE_ORDER,
  TRACE_STATES,
  type TraceState,
} from './calls/call-state.js'
export type { QueueList, QueueView } from './calls/queue-view.js'
export type {
  CallNode,
  CallSummary,
  CallView,
  DeadLetterView,
  Links,
  Page,
  ProgressView,
  ResolutionView,
  TraceSummary,
  TraceView,
} from './calls/views.js'
export {
  type Completion,
  type CompletionQuery,
  type CompletionRef,
  MAX_COMPLETION_VALUES,
  parseCompletion,
} from './completion/completion.js'
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
export { isEventName, isTraceEvent, type RawEvent } from './events/raw-event.js'
export {
  type CompleteData,
  EVENT_NAMES,
  type EventDataByName,
  type EventEnvelope,
  type EventName,
  type FailureData,
  type InputReceivedData,
  type InputRequestedData,
  isTerminalEvent,
  type PlainData,
  type ProgressData,
  type ReceivedData,
  type ResetReason,
  type ResolvedData,
  type RetryingData,
  type StartedData,
  TERMINAL_EVENTS,
  type TerminalEventName,
  type TraceEvent,
} from './events/trace-event.js'
export { JSON_POINTER, readPointer, valueAtPointer } from './json/json-pointer.js'
export { type ExplainedViolation, explainErrors, type SchemaFault, type Violation } from './json/violation.js'
export { AnswerShapeError } from './json-rpc/answer-shape.js'
export {
  type Body,
  type BodyLimits,
  type Frame,
  isJsonObject,
  type JsonObject,
  parseBody,
  parseFrame,
  parseMessage,
  type RequestId,
} from './json-rpc/frame.js'
export { errorResponse, type JsonRpcResponse, resultResponse } from './json-rpc/response.js'
export { refuseExpectation, refuseUnreadable } from './json-rpc/unreadable-request.js'
export { findMisdeclared } from './mcp/client-capabilities.js'
export { decodeHeaderValue, encodeHeaderValue } from './mcp/header-value.js'
export {
  checkNotification,
  eraOfHeaders,
  type McpHeaders,
  readHttpRequest,
  readMcpHeader,
} from './mcp/http-request.js'
export {
  declaredInputs,
  findUndeclaredInput,
  type InputRequests,
  type InputRequired,
  parseInputRequired,
} from './mcp/input-required.js'
export { type LineItem, readLines } from './mcp/line-reader.js'
export { LOG_LEVELS, type LogLevel, toLogLevel } from './mcp/log-level.js'
export {
  encodeMcpError,
  type McpError,
  malformedStatusOf,
  mcpStatusOf,
  NameUnknown,
  ResourceMissing,
  toMcpError,
} from './mcp/mcp-error.js'
export {
  checkParamHeaders,
  declaredParamHeaders,
  type ParamHeader,
  ParamHeaderError,
  paramHeadersOf,
  readParamHeaders,
} from './mcp/param-headers.js'
export {
  checkModernRevision,
  claimsModern,
  type McpRequest,
  readClientCapabilities,
  readLogLevel,
  readModernMeta,
  readProgressToken,
} from './mcp/request.js'
export { modernHeadersOf } from './mcp/request-headers.js'
export { type CacheScope, cacheHints, type ServerInfo, toModernResult } from './mcp/result.js'
export {
  type Era,
  isLegacyRevision,
  isModernRevision,
  LEGACY_REVISIONS,
  META_KEYS,
  MODERN_REVISIONS,
} from './mcp/revision.js'
export { missingCapability, RevisionError } from './mcp/revision-error.js'
export { declaresTasks, encodeTask, TASKS_EXTENSION, type Task, type TaskStatus } from './mcp/task.js'
export { type FilledPrompt, type PromptMessage, parseFilledPrompt } from './prompts/filled-prompt.js'
export { type Prompt, type PromptArgument, parsePrompt } from './prompts/prompt.js'
export { parseResourceReading, type ResourceReading } from './resources/reading.js'
export {
  MAX_URI_CHARS,
  parseResource,
  parseResourceTemplate,
  type Resource,
  type ResourceTemplate,
} from './resources/resource.js'
export { readSse, SseFormatError, type SseItem } from './sse/decode.js'
export { encodeSseComment, encodeSseEvent, encodeSseRetry, type SseEvent } from './sse/encode.js'
export {
  type CallResult,
  parseTokenUsage,
  parseToolResult,
  type TokenUsage,
  type ToolResult,
} from './tools/call-result.js'
export {
  type ContentItem,
  type EmbeddedResource,
  type OpaqueContent,
  parseContentItem,
  type TextContent,
  toolReasonOf,
} from './tools/content.js'
export {
  AGENT_NAME_RULE,
  IDEMPOTENCY_KEY_RULE,
  isAgentName,
  isIdempotencyKey,
  isPromptName,
  isToolName,
  isTraceId,
  PROMPT_NAME_RULE,
  TOOL_NAME_RULE,
  TRACE_ID_RULE,
} from './tools/names.js'
export { type CallMode, type ListedTool, parseTool, type Tool } from './tools/tool.js'
export {
  type TracedCall,
  toW3cTraceId,
  traceIdOfTraceparent,
  traceparentOf,
  traceparentOfCall,
} from './tracing/traceparent.js'
