import type { ServerResponse } from 'node:http'
import { sendResult } from '../../../packages/client/test/hub-answers.js'
import { type ReceivedRequest, type ScriptedHub, scriptedHubs } from '../../../packages/client/test/scripted-hub.js'

/** Answers everything but `ping`, which every command that waits begins with. */
type HubScript = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

/** A hub, and the environment in which the command finds it. */
interface HubForCommands {
  readonly at: ScriptedHub
  readonly env: Readonly<Record<string, string>>
}

/** A way to start hubs for commands; they are stopped after each test of the file. */
export function hubsForCommands(): (script: HubScript) => Promise<HubForCommands> {
  const startHub = scriptedHubs()
  return async (script) => {
    const at = await startHub((request, response) => {
      return request.body.method === 'ping' ? sendResult(response, {}) : script(request, response)
    })
    return { at, env: { SYNCHUB_URL: at.url } }
  }
}
