// A URL cannot hold `.` or `..` as a part of its path: a trace of that name could never be read.
const TRACE_ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/
const TOOL_NAME = /^[A-Za-z0-9._/-]{1,128}$/
const AGENT_NAME = /^[A-Za-z0-9_-]{1,64}$/
const PROMPT_NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,256}$/

/** What a traceId may be, in words. */
export const TRACE_ID_RULE = '1 to 128 characters of A-Z a-z 0-9 . _ : -, other than . and ..'
/** What a tool's name may be, in words. */
export const TOOL_NAME_RULE = '1 to 128 characters of A-Z a-z 0-9 . _ / -'
/** What the name of an agent, a tenant or a subject may be, in words. No dot: `agent.tool` must be readable one way only. */
export const AGENT_NAME_RULE = '1 to 64 characters of A-Z a-z 0-9 _ -'
/** What a prompt's name may be, in words. Prompts are for people, so their names may be words of any language. */
export const PROMPT_NAME_RULE = '1 to 128 characters that are no control characters'
/** What an idempotency key may be, in words. */
export const IDEMPOTENCY_KEY_RULE = '1 to 256 visible ASCII characters'

/** Whether `value` keeps {@link TRACE_ID_RULE}. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && TRACE_ID.test(value)
}

/** Whether `value` keeps {@link TOOL_NAME_RULE}. */
export function isToolName(value: unknown): value is string {
  return typeof value === 'string' && TOOL_NAME.test(value)
}

/** Whether `value` keeps {@link AGENT_NAME_RULE}. */
export function isAgentName(value: unknown): value is string {
  return typeof value === 'string' && AGENT_NAME.test(value)
}

/** Whether `value` keeps {@link IDEMPOTENCY_KEY_RULE}. */
export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && IDEMPOTENCY_KEY.test(value)
}

/** Whether `value` keeps {@link PROMPT_NAME_RULE}. */
export function isPromptName(value: unknown): value is string {
  return typeof value === 'string' && PROMPT_NAME.test(value)
}
