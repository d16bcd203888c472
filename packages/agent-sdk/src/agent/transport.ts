/** How clients reach an agent's process: over HTTP, or as MCP over its own stdin and stdout. */
export type Transport = 'http' | 'stdio'

const FLAG = '--stdio'

/**
 * Reads the transport from the arguments of a process: none for HTTP, `--stdio` for MCP over stdin and stdout.
 * @param args - `process.argv.slice(2)`
 * @throws Error in one sentence, when there is any other argument
 */
export function readTransport(args: readonly string[]): Transport {
  const other = args.find((arg) => arg !== FLAG)
  if (other !== undefined) {
    throw new Error(`the agent does not know the argument ${JSON.stringify(other)}: the only one is ${FLAG}`)
  }
  return args.includes(FLAG) ? 'stdio' : 'http'
}
