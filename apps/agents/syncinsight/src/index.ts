export { createSyncInsight, type SyncInsightOptions } from './agent.js'
export { type Configuration, ConfigurationError, loadConfiguration, parseConfiguration } from './configuration/load.js'
