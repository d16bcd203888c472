import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Agent,
  type AgentServer,
  type AgentTool,
  createLineLogger,
  defineAgent,
  defineTool,
  type HandlerResult,
  type ServeOptions,
  serveAgent,
  type ToolContext,
} from '@synchub/agent-sdk'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from './cleanup.js'

/** Serves an agent of the SDK with these tools over real HTTP. */
export function serveTools(tools: readonly AgentTool[], options: Partial<ServeOptions> = {}): Promise<AgentServer> {
  return serveDefined(defineAgent({ name: 'Tester', version: '1.0.0', tools }), options)
}

/** Serves an agent of the SDK over real HTTP. */
export async function serveDefined(agent: Agent, options: Partial<ServeOptions> = {}): Promise<AgentServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'synchub-hub-agent-')))
  const logger = createLineLogger({ write: () => undefined })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 0, stopAbortMs: 50, ...options })
  atEnd(async () => {
    await server.stop()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  })
  return server
}

/** One run of a steered tool: the test says how it goes on. */
export interface SteeredRun {
  readonly args: JsonObject
  readonly ctx: ToolContext
  complete(result?: HandlerResult | string): void
  fail(thrown: unknown): void
}

/** A long tool that does nothing by itself. */
export interface SteeredTool {
  readonly tool: AgentTool
  /** Every run so far. */
  readonly runs: readonly SteeredRun[]
  /** The next run that nobody has asked for yet. */
  nextRun(): Promise<SteeredRun>
}

/** Makes a tool whose runs wait for the test; an aborted one throws. */
export function steeredTool(name: string, more: { readonly outputSchema?: JsonObject } = {}): SteeredTool {
  const runs: SteeredRun[] = []
  const wanted: ((run: SteeredRun) => void)[] = []
  let taken = 0
  const offer = () => {
    for (let run = runs[taken]; run !== undefined && wanted.length > 0; run = runs[taken]) {
      taken++
      wanted.shift()?.(run)
    }
  }
  const tool = defineTool({
    name,
    description: 'Waits for the test',
    inputSchema: { type: 'object' },
    ...more,
    streams: true,
    handler: (args: JsonObject, ctx) =>
      new Promise<HandlerResult | string>((resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
        runs.push({ args, ctx, complete: (result = 'done') => resolve(result), fail: reject })
        offer()
      }),
  })
  return {
    tool,
    runs,
    nextRun: () =>
      new Promise((resolve) => {
        wanted.push(resolve)
        offer()
      }),
  }
}

/** A short tool that answers its arguments. */
export const echoTool = defineTool({
  name: 'echo',
  description: 'Answers its arguments',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
  },
  handler: (args: JsonObject) => ({ content: [{ type: 'text', text: JSON.stringify(args) }], structuredContent: args }),
})
