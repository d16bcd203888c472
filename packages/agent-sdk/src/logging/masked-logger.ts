import type { AgentLogger } from './logger.js'

const MASK = '[masked]'

/**
 * A logger that writes none of `secrets`, wherever in a line they stand: what a handler logs, or throws, may hold the whole
 * context or a request that failed. The list may grow while the logger is used; while it is empty, lines pass as they are.
 */
export function maskLogger(logger: AgentLogger, secrets: readonly string[]): AgentLogger {
  const mask = <T extends object>(fields: T): T =>
    secrets.length === 0 ? fields : (maskValue(fields, secrets, new Set()) as T)
  const log = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    logger[level](mask(fields), maskText(message, secrets))
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => maskLogger(logger.child(mask(fields)), secrets),
  }
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** A copy as JSON would show it; `above` are the objects that the value lies in, since one may hold itself. */
function maskValue(value: unknown, secrets: readonly string[], above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (above.has(value)) return '[circular]'
  const inside = new Set([...above, value])
  const mask = (member: unknown) => maskValue(member, secrets, inside)
  if (Array.isArray(value)) return value.map(mask)
  if ('toJSON' in value && typeof value.toJSON === 'function') return mask(value.toJSON())
  const members = Object.entries(value).map(([name, member]) => [maskText(name, secrets), mask(member)] as const)
  if (!(value instanceof Error)) return Object.fromEntries(members)
  const { name, message, stack, cause } = value
  const copy = new Error(maskText(message, secrets), cause === undefined ? {} : { cause: mask(cause) })
  return Object.assign(copy, Object.fromEntries(members), {
    name,
    stack: maskText(stack ?? `${name}: ${message}`, secrets),
  })
}
