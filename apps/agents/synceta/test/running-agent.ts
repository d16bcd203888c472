import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type AgentServer, createLineLogger, serveAgent } from '@synchub/agent-sdk'
import { type JsonObject, readSse } from '@synchub/protocol'
import { createSyncEta } from '../src/agent.js'
import { parseConfiguration } from '../src/configuration/load.js'
import type { CaseResult } from '../src/run/case-result.js'
import { makeFolder } from './temporary-folder.js'

const servers: AgentServer[] = []

/** What a call's stream held: `progress` events, then its end. */
export interface CallOutcome {
  readonly progress: readonly { readonly progress: number; readonly total?: number; readonly message: string }[]
  /** `complete` or `failed`. */
  readonly ending: string
  readonly isError: boolean
  readonly error: { readonly code: number; readonly message: string } | undefined
  readonly result: {
    readonly reportId: string
    readonly outcome: string
    readonly reason?: string
    readonly remarks?: readonly string[]
    readonly counts: JsonObject
    readonly durationMs: number
    readonly cases: readonly CaseResult[]
    readonly truncated: boolean
  }
  readonly text: string
  /** The report in the answer. */
  readonly markdown: string
  readonly uri: string
}

/** SyncETA, served in this process. */
export interface RunningAgent {
  readonly url: string
  readonly folder: string
  readonly dataDir: string
  readonly log: () => string
  call(args: JsonObject, options?: CallOptions): Promise<CallOutcome>
  cancel(callId: string): Promise<void>
}

/** How a call is made. */
export interface CallOptions {
  readonly callId?: string
  /** Told each progress as it comes. */
  readonly onProgress?: (message: string) => void
}

/** Serves SyncETA with a configuration; `files` lie beside it. */
export async function startAgent(
  configuration: object,
  files: Readonly<Record<string, unknown>> = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningAgent> {
  const folder = await makeFolder(files)
  const dataDir = join(folder, 'data')
  const path = join(folder, 'synceta.config.json')
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const agent = await createSyncEta({
    configuration: parseConfiguration(JSON.stringify(configuration), path, env),
    dataDir,
  })
  let log = ''
  const logger = createLineLogger({
    write: (line) => {
      log += line
    },
  })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 100, stopAbortMs: 5_000 })
  servers.push(server)
  return {
    url: server.url,
    folder,
    dataDir,
    log: () => log,
    call: (args, options) => callTool(server.url, args, options),
    cancel: async (requestId) => {
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } }
      await post(server.url, body)
    },
  }
}

/** Stops the agents that {@link startAgent} served; for `afterEach`. */
export async function stopAgents(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop()
}

/** Calls `synceta_run_regression` at `url` as the hub does, and reads its stream to the end. */
export async function callTool(
  url: string,
  args: JsonObject,
  { callId = randomUUID(), onProgress = () => undefined }: CallOptions = {},
): Promise<CallOutcome> {
  const params = { name: 'synceta_run_regression', arguments: args, _meta: { callId, traceId: 'trace-1' } }
  const response = await post(url, { jsonrpc: '2.0', id: callId, method: 'tools/call', params })
  const progress: CallOutcome['progress'][number][] = []
  if (response.headers.get('content-type')?.startsWith('application/json') === true)
    return toOutcome('failed', (await response.json()) as JsonObject, progress)
  for await (const item of readSse(response.body ?? new ReadableStream(), 16_777_216)) {
    if (item.kind !== 'event') continue
    const data = JSON.parse(item.data)
    if (item.event !== 'progress') return toOutcome(item.event, data, progress)
    progress.push(data)
    onProgress(data.message)
  }
  throw new Error('the stream ended without an answer')
}

function toOutcome(ending: string, data: JsonObject, progress: CallOutcome['progress']): CallOutcome {
  const { result, content, isError, error } = data as Partial<CallOutcome> & {
    readonly content?: readonly [
      { readonly text: string },
      { readonly resource: { readonly text: string; readonly uri: string } },
    ]
  }
  return {
    progress,
    ending,
    isError: isError ?? false,
    error,
    result: result ?? { reportId: '', outcome: '', counts: {}, durationMs: 0, cases: [], truncated: false },
    text: content?.[0].text ?? '',
    markdown: content?.[1].resource.text ?? '',
    uri: content?.[1].resource.uri ?? '',
  }
}

async function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  })
}
