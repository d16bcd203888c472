export { createSyncEta, type SyncEtaOptions } from './agent.js'
export { ConfigurationError } from './configuration/configuration-error.js'
export { type Configuration, loadConfiguration, parseConfiguration } from './configuration/load.js'
