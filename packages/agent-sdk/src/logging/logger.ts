/** What the SDK logs to. A pino logger fits as it is; fields come first, as pino has it. */
export interface AgentLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** A logger whose every line carries `fields`. */
  child(fields: Record<string, unknown>): AgentLogger
}

/** Where {@link createLineLogger} writes to: `process.stderr`, or a test's own sink. */
export interface LineSink {
  write(line: string): unknown
}

/**
 * The logger of an agent that was given none: one line of JSON for each entry, from `info` upwards. It writes to stderr, since
 * stdout may belong to the program that the agent is part of.
 */
export function createLineLogger(sink: LineSink, bindings: Record<string, unknown> = {}): AgentLogger {
  const log = (level: string) => (fields: object, message: string) => {
    const entry = { level, time: new Date().toISOString(), ...bindings, ...showErrors(fields), msg: message }
    sink.write(`${JSON.stringify(entry)}\n`)
  }
  return {
    debug: () => undefined,
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => createLineLogger(sink, { ...bindings, ...fields }),
  }
}

/** JSON.stringify writes an Error as `{}`: its stack is what the reader of a log needs. */
function showErrors(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? (value.stack ?? String(value)) : value,
    ]),
  )
}
