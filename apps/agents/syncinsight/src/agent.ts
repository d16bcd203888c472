import { join } from 'node:path'
import { type Agent, defineAgent } from '@synchub/agent-sdk'
import type { Configuration } from './configuration/load.js'
import { resolveWithSystem } from './network/resolution.js'
import { weeklyReportPrompt } from './prompts/weekly-report.js'
import { ReportStore } from './report/report-store.js'
import { ResearchPlaces } from './research/places.js'
import { reportResource } from './resources/reports.js'
import { createSummarizer } from './summary/model-endpoint.js'
import { deepResearchTool } from './tools/deep-research.js'

/** What SyncInsight is made of. */
export interface SyncInsightOptions {
  readonly configuration: Configuration
  /** Folder for what the agent keeps; reports lie in `reports` below it. */
  readonly dataDir: string
  /** Key of the model endpoint, where the configuration names one and it needs a key. */
  readonly summaryApiKey?: string
}

/** Makes the agent SyncInsight, ready to be served by the SDK. */
export function createSyncInsight({ configuration, dataDir, summaryApiKey }: SyncInsightOptions): Agent {
  const { limits, summary } = configuration
  const reports = new ReportStore(join(dataDir, 'reports'), limits.maxReports)
  const now = (): Date => new Date()
  const parts = {
    limits,
    resolveHost: resolveWithSystem,
    reports,
    ...(summary === undefined ? {} : { summarize: createSummarizer(summary, summaryApiKey) }),
    now,
  }
  const places = new ResearchPlaces(limits.maxConcurrentResearches)
  return defineAgent({
    name: 'SyncInsight',
    version: '0.1.0',
    tools: [deepResearchTool(configuration, parts, places)],
    prompts: [weeklyReportPrompt(configuration, reports, now)],
    resources: [reportResource(reports)],
  })
}
