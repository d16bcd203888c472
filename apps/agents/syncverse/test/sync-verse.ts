import { type TestAgent, testAgent } from '@synchub/agent-sdk/testing'
import { createSyncVerse } from '../src/index.js'

/** SyncVerse in this process, with a hub that nobody listens as: good for what is refused before a call is made. */
export function syncVerse(hubUrl = 'http://127.0.0.1:9'): TestAgent {
  return testAgent(createSyncVerse({ hubUrl }))
}
