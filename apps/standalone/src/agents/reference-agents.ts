import { join } from 'node:path'
import { PROJECT_DIR } from '../env.js'

/** An agent that the project brings along and `npm start` runs. */
export interface ReferenceAgent {
  readonly name: string
  /** Its compiled main file. */
  readonly program: string
  /** The variable by which the configuration names its address; where a user sets it, no agent is started. */
  readonly urlVariable: string
  /** Its folder below the data folder. */
  readonly folder: string
}

const agent = (name: string, folder: string): ReferenceAgent => ({
  name,
  program: join(PROJECT_DIR, 'apps', 'agents', folder, 'dist', 'main.js'),
  urlVariable: `${name.toUpperCase()}_URL`,
  folder,
})

/** The reference agents. */
export const REFERENCE_AGENTS: readonly ReferenceAgent[] = [
  agent('SyncBoot', 'syncboot'),
  agent('SyncInsight', 'syncinsight'),
  agent('SyncETA', 'synceta'),
  agent('SyncVerse', 'syncverse'),
]
