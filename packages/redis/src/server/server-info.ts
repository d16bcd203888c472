/** What `INFO` says, by name. */
export type ServerInfo = ReadonlyMap<string, string>

/** Reads the answer to `INFO`, of whichever sections. */
export function parseInfo(info: string): ServerInfo {
  return new Map([...info.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']))
}
