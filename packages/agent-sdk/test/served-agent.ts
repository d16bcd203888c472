import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JsonObject, readSse } from '@synchub/protocol'
import {
  type AgentOptions,
  type AgentServer,
  type AgentTool,
  createLineLogger,
  defineAgent,
  type ServeOptions,
  serveAgent,
} from '../src/index.js'

const cleanups: (() => Promise<unknown>)[] = []

/** An agent under test: real HTTP, a folder of its own, and what it logged. */
export interface ServedAgent extends AgentServer {
  readonly dataDir: string
  readonly logs: JsonObject[]
}

/** Serves an agent with `tools` until {@link closeAll}. */
export async function serve(
  tools: readonly AgentTool[],
  options: Partial<ServeOptions> = {},
  offers: Pick<AgentOptions, 'prompts' | 'resources'> = {},
): Promise<ServedAgent> {
  const dataDir = options.dataDir ?? (await makeFolder())
  const logs: JsonObject[] = []
  const logger = createLineLogger({ write: (line) => logs.push(JSON.parse(line)) })
  const agent = defineAgent({ name: 'Tester', version: '1.0.0', tools, ...offers })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 0, stopAbortMs: 50, ...options })
  cleanups.push(() => server.stop())
  return { ...server, dataDir, logs }
}

/** A folder that is removed at the end. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'synchub-agent-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `cleanup` at the end of the test. */
export function atEnd(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup)
}

/** Undoes everything, last first. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
}

/** A `tools/call` as the hub sends it. */
export function callBody(name: string, args: unknown = {}, meta: JsonObject = {}): string {
  const id = meta.callId ?? 'request-1'
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } })
}

/** What a test may change of a post. */
export type PostInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** Posts a body as the hub does. */
export function post(url: string, body: string, init: PostInit = {}): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...init.headers }
  return fetch(url, { method: 'POST', body, ...init, headers })
}

/** Posts a body and reads the answer as JSON. */
export async function postJson(
  url: string,
  body: string,
  init: PostInit = {},
): Promise<{ status: number; body: unknown }> {
  const response = await post(url, body, init)
  return { status: response.status, body: await response.json() }
}

/** An event with its decoded data. */
export interface ReadEvent {
  readonly event: string
  readonly data: JsonObject
}

/** Posts a call and yields its events as they come; comments come as the event `comment`. */
export async function* streamCall(url: string, body: string, signal?: AbortSignal): AsyncGenerator<ReadEvent> {
  const init = {
    headers: { Accept: 'application/json, text/event-stream' },
    ...(signal === undefined ? {} : { signal }),
  }
  const response = await post(url, body, init)
  if (response.body === null) return
  for await (const item of readSse(response.body, 64 * 1024 * 1024)) {
    if (item.kind === 'event') yield { event: item.event, data: JSON.parse(item.data) }
    else yield { event: item.kind, data: {} }
  }
}

/** All events that are still to come. */
export async function collect(events: AsyncIterable<ReadEvent>): Promise<ReadEvent[]> {
  const collected: ReadEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** Waits until `isTrue`; the test's own time limit bounds it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}

/** Names of the answers that an agent has stored. */
export async function storedAnswers(dataDir: string): Promise<string[]> {
  return readdir(join(dataDir, 'answers'))
}
