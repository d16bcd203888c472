import { callTool } from '../hub-requests.js'
import { runHub } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'

/** A hub with one agent and one trace, for whatever may be sent to it. Answers its URL. */
export async function runFuzzedHub(): Promise<string> {
  const agent = await serveTools([echoTool])
  const { url } = await runHub({
    agents: { Agent: { url: agent.url, mode: 'direct' } },
    limits: { maxWaitMs: 1000, defaultWaitMs: 500, maxBatchSize: 5 },
  })
  await callTool(url, 'echo', {}, { traceId: 'fuzzed' })
  return url
}
