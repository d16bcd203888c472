import type { CallMode } from '../tools/tool.js'

/** A worker agent as its callers see it: `GET /agents`. */
export interface AgentView {
  readonly name: string
  /** False while the agent cannot be reached: calls answer AGENT_UNAVAILABLE. */
  readonly available: boolean
  /** Why it is not available, in words. */
  readonly reason?: string
  /** How far the agent is trusted: `local`, `internal`, `external`. */
  readonly trust: string
  /** How the hub reaches it: `native`, `mcp-http`, `mcp-stdio`, `tool-service`. */
  readonly connector: string
  /** Tools that the asker may call, each by the name to call it by. */
  readonly tools: readonly { readonly name: string; readonly mode: CallMode }[]
  /** Resources that the asker may read. */
  readonly resources: readonly { readonly uri: string; readonly name: string }[]
  /** Resources of which it may read every one that their template makes. */
  readonly resourceTemplates: readonly { readonly uriTemplate: string; readonly name: string }[]
  /** Prompts that the asker may use, each by the name to get it by. */
  readonly prompts: readonly { readonly name: string }[]
  /** How it works, by the runs that the asker may see; absent where that is not known, and for an agent that asks while it works. */
  readonly pace?: AgentPace
  /** What the agent lists and the hub does not offer, each with the reason; a list as a whole has no name. */
  readonly refused: readonly RefusedView[]
}

/**
 * How an agent works: every run of it that ended, and was not cancelled, in the hour that runs and the 23 before it, whoever asked for it, without its wait
 * in the queue and with the calls that it made of others. Durations are told to within a tenth.
 */
export interface AgentPace {
  readonly runs: number
  /** Those that ended badly. */
  readonly failed: number
  /** Runs that ended in each of the hours, the oldest first. */
  readonly perHour: readonly number[]
  /** What half of the runs of an hour took no longer than, in ms, of each hour that has some, the oldest first. */
  readonly medianMsPerHour: readonly number[]
  readonly medianMs?: number
  /** Nineteen of twenty took no longer. */
  readonly slowMs?: number
}

/** Something that an agent lists and the hub does not offer. */
export interface RefusedView {
  readonly kind: keyof typeof KIND_WORDS
  readonly name?: string
  readonly reason: string
}

/** What `GET /agents` answers. */
export interface AgentList {
  readonly agents: readonly AgentView[]
}

const KIND_WORDS = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
} as const

/** What is refused, in words: `tool search refused`. */
export function describeRefused({ kind, name }: RefusedView): string {
  const words = KIND_WORDS[kind]
  return name === undefined ? `${words} refused` : `${words} ${name} refused`
}
