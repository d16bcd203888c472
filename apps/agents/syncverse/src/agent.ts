import { type Agent, defineAgent } from '@synchub/agent-sdk'
import { runPlanTool } from './tools/run-plan.js'

/** What SyncVerse is made of. */
export interface SyncVerseOptions {
  /** The hub that the steps of a plan go to. */
  readonly hubUrl: string
}

/** Makes the agent SyncVerse, ready to be served by the SDK. */
export function createSyncVerse({ hubUrl }: SyncVerseOptions): Agent {
  return defineAgent({ name: 'SyncVerse', version: '0.1.0', tools: [runPlanTool({ hubUrl })] })
}
