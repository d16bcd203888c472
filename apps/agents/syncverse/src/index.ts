export { createSyncVerse, type SyncVerseOptions } from './agent.js'
