import { join } from 'node:path'
import { type Agent, defineAgent } from '@synchub/agent-sdk'
import { agentMark, endLeftovers } from './command/run-mark.js'
import type { Configuration } from './configuration/load.js'
import { ReportStore } from './report/report-store.js'
import { RunPlaces } from './run/run-places.js'
import { runRegressionTool } from './tools/run-regression.js'

/** What SyncETA is made of. */
export interface SyncEtaOptions {
  readonly configuration: Configuration
  /** Folder for what the agent keeps, an absolute path; reports lie in `reports` below it. One agent, one folder. */
  readonly dataDir: string
}

/** Makes the agent SyncETA, ready to be served by the SDK. Commands that an earlier one of the same folder left running are ended. */
export async function createSyncEta({ configuration, dataDir }: SyncEtaOptions): Promise<Agent> {
  const { maxReports, maxConcurrentRuns } = configuration.limits
  const mark = agentMark(dataDir)
  await endLeftovers(mark)
  const tool = runRegressionTool(configuration, {
    reports: new ReportStore(join(dataDir, 'reports'), maxReports),
    places: new RunPlaces(maxConcurrentRuns),
    agentMark: mark,
  })
  return defineAgent({ name: 'SyncETA', version: '0.1.0', tools: [tool] })
}
