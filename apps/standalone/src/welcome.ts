/** What the welcome tells of. */
export interface WelcomeFacts {
  readonly url: string
  readonly logDir: string
  /** Whether whoever reaches it may call: without access keys. */
  readonly isOpen: boolean
  /** Trace of the demonstration, where it was played. */
  readonly traceId: string | undefined
}

/** What a person can do now: addresses, and lines to paste into a second terminal. */
export function welcome({ url, logDir, isOpen, traceId }: WelcomeFacts): string {
  const watched = traceId ?? 'my-trace'
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'syncinsight_deep_research',
      arguments: { question: 'What is a trace?', sources: ['docs', 'readme'] },
      // An access key names its agent itself.
      _meta: { traceId: 'my-trace', ...(isOpen ? { callerAgent: 'SyncVerse' } : {}) },
    },
  })
  const authorization = isOpen ? '' : ' -H "authorization: Bearer $SYNCHUB_API_KEY"'
  return `
SyncHub serves ${url}   (Ctrl-C ends it; logs in ${logDir})

  see      ${url}/ui/
  call     POST ${url}/rpc            health  ${url}/healthz  ${url}/readyz
  traces   GET  ${url}/traces         events  ${url}/traces/<traceId>/events
  MCP      POST ${url}/mcp            hosts   docs/CONNECTING.md

Paste into a second terminal${isOpen ? '' : ', after "export SYNCHUB_API_KEY=<your key>" there'}:

  curl -N ${url}/rpc${authorization} -H 'content-type: application/json' -H 'accept: text/event-stream' -d '${body}'

  npx synchub watch ${watched}${traceId === undefined ? ' --follow' : ''}${portFlag(url)}
`
}

/** The command finds a hub on the default address by itself. */
function portFlag(url: string): string {
  return url === 'http://127.0.0.1:4000' ? '' : ` --url ${url}`
}
