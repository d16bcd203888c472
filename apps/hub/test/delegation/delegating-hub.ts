import type { ServerResponse } from 'node:http'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { startCall } from '../hub-requests.js'
import { type HubSetting, type RunningHub, runHub } from '../running-hub.js'
import {
  type AgentRequest,
  openStream,
  type ScriptedAgent,
  sendResult,
  serveScript,
  toolOf,
} from '../scripted-agent.js'
import { eventually } from '../until.js'

/** A hub whose agent Verse may call Boot, one tool of Insight, and Inner, which may call Insight. */
export interface DelegatingHub extends RunningHub {
  readonly verse: HeldAgent
  readonly inner: HeldAgent
  readonly boot: ScriptedAgent
  readonly insight: ScriptedAgent
}

/** An agent whose work goes on until the test ends it. */
export interface HeldAgent {
  readonly agent: ScriptedAgent
  /** The work on this attempt of a call, as soon as the agent has it. */
  workOn(callId: string, attempt?: number): Promise<HeldWork>
}

/** Work of an agent under a run access token. */
export interface HeldWork {
  readonly callId: string
  readonly traceId: string
  readonly accessToken: string
  /** Headers of a request that the agent makes while it works. */
  readonly headers: { readonly Authorization: string }
  answer(result: JsonObject): void
  fail(error: JsonObject): void
  progress(message: string): void
  /** Breaks the connection without an answer. */
  lose(): void
  /** Whether the hub has given the request up. */
  readonly isAborted: boolean
}

const KEYS = {
  alice: { tenant: 'acme', subject: 'alice', agent: 'Console', scopes: ['tools:call', 'calls:cancel:tenant'] },
  narrow: { tenant: 'acme', subject: 'narrow', agent: 'Console', scopes: ['tools:call:Verse', 'tools:call:make'] },
  bob: { tenant: 'acme', subject: 'bob', agent: 'Console', scopes: ['tools:call'] },
  stranger: { tenant: 'beta', subject: 'alice', agent: 'Console', scopes: ['tools:call'] },
}

/** Who calls from outside. */
export type Caller = keyof typeof KEYS

/** Headers of a request from outside. */
export const as = (name: Caller) => ({ Authorization: `Bearer key-of-${name}` })

const KEY_ACCESS: JsonObject = {
  mode: 'keys',
  keys: Object.entries(KEYS).map(([name, key]) => ({ ...key, name, sha256: hashApiKey(`key-of-${name}`) })),
}

/** Starts the hub; access by keys where nothing else is said. */
export async function runDelegatingHub(setting: HubSetting = {}): Promise<DelegatingHub> {
  const verse = await serveHeld(['plan', 'plan_now', 'fragile'])
  const inner = await serveHeld(['relay'])
  const boot = await serveScript([toolOf('make'), toolOf('slow'), toolOf('drop')], (res, call) => {
    if (call.name === 'slow') openStream(res)
    else sendResult(res, call.id, { content: [{ type: 'text', text: 'made' }], structuredContent: call.arguments })
  })
  const insight = await serveScript([toolOf('search'), toolOf('browse')])
  const hub = await runHub({
    access: KEY_ACCESS,
    ...setting,
    agents: {
      Verse: {
        url: verse.agent.url,
        concurrency: 50,
        delegates: ['Boot', 'Insight.search', 'Inner'],
        retryDelayMs: 10,
        tools: { plan_now: { mode: 'direct' }, fragile: { safeToRepeat: true } },
      },
      Inner: { url: inner.agent.url, delegates: ['Insight'], mode: 'direct' },
      Boot: { url: boot.url, concurrency: 50, tools: { make: { mode: 'direct' }, drop: { mode: 'direct' } } },
      Insight: { url: insight.url, mode: 'direct' },
      ...setting.agents,
    },
  })
  return { ...hub, verse, inner, boot, insight }
}

/** Has Verse begin to work on a call from outside. */
export async function beginPlan(
  { url, verse }: DelegatingHub,
  { tool = 'plan', meta = {}, caller = 'alice' }: { tool?: string; meta?: JsonObject; caller?: Caller } = {},
): Promise<HeldWork> {
  return verse.workOn(await startCall(url, tool, {}, meta, as(caller)))
}

async function serveHeld(tools: readonly string[]): Promise<HeldAgent> {
  const open = new Map<AgentRequest, ServerResponse>()
  const agent = await serveScript(
    tools.map((name) => toolOf(name)),
    (res, call) => {
      openStream(res)
      open.set(call, res)
    },
  )
  const find = (callId: string, attempt: number) => {
    const call = agent.calls.find(({ id, meta }) => id === callId && meta.attempt === attempt)
    const res = call === undefined ? undefined : open.get(call)
    return call === undefined || res === undefined ? undefined : toWork(call, res)
  }
  return { agent, workOn: (callId, attempt = 1) => eventually(() => find(callId, attempt)) }
}

function toWork({ id, meta }: AgentRequest, res: ServerResponse): HeldWork {
  const accessToken = String(meta.accessToken)
  let steps = 0
  return {
    callId: String(id),
    traceId: String(meta.traceId),
    accessToken,
    headers: { Authorization: `Bearer ${accessToken}` },
    answer(result) {
      res.end(`event: complete\ndata: ${JSON.stringify(result)}\n\n`)
    },
    fail(error) {
      res.end(`event: failed\ndata: ${JSON.stringify({ error })}\n\n`)
    },
    progress(message) {
      res.write(`event: progress\ndata: ${JSON.stringify({ progress: ++steps, message })}\n\n`)
    },
    lose() {
      res.destroy()
    },
    get isAborted() {
      return res.destroyed
    },
  }
}
