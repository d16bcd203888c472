import type { ServerInfo } from '@synchub/protocol'

/** What the hub calls itself in MCP. */
export const SERVER_INFO: ServerInfo = { name: 'synchub', title: 'SyncHub', version: '0.1.0' }

/** What clients may show to their model about this server. */
export const INSTRUCTIONS =
  'SyncHub calls the tools of several agents. Every answer names its trace and call in _meta; an answer that did not come in time can be had later by its callId.'
