export { createSyncBoot, type SyncBootOptions } from './agent.js'
