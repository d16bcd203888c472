import { startProgram } from '../processes/program.mjs'
import { openRoom } from '../processes/room.mjs'
import { startSystem, untilTakesCalls } from '../processes/system.mjs'

/** Tools of the suite that are long ones, which the hub makes tasks of. */
const TASKS = ['slow_compute', 'protocol_error_job', 'confirm_delete', 'multi_input']
const WARNING = 40

/**
 * What the suite is held against: a hub with a dispatcher, and behind them the agent of the suite, reached as any agent is.
 *
 * @typedef {object} UnderTest
 * @property {string} url of the MCP endpoint
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it.
 *
 * @param {(line: string) => void} say told every warning of hub and dispatcher
 * @returns {Promise<UnderTest>}
 */
export async function startUnderTest(say) {
  const room = await openRoom('conformance')
  try {
    const agent = await startProgram(room, 'infra/conformance/agent/agent.mjs')
    const tools = {
      ...Object.fromEntries(TASKS.map((name) => [name, { mode: 'queued' }])),
      failing_job: { mode: 'queued', taskOnly: true },
      test_tool_with_task: { mode: 'queued', taskOnly: true, asksFirst: true },
    }
    const agents = { Conformance: { connector: 'mcp-http', url: agent.ready, mode: 'direct', tools } }
    const system = await startSystem(room, { agents }, (line) => {
      if (isWarning(line)) say(line)
    })
    await untilTakesCalls(system.url)
    // The suite knows only a server on localhost by this name.
    const url = system.url.replace('127.0.0.1', 'localhost')
    return { url: `${url}/mcp`, stop: room.close }
  } catch (thrown) {
    await room.close()
    throw thrown
  }
}

/** @param {string} line of a log; what is no JSON is the last word of a program */
function isWarning(line) {
  return !line.startsWith('{') || JSON.parse(line).level >= WARNING
}
