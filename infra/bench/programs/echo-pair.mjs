import { startProgram } from '../../processes/program.mjs'
import { startSystem } from '../../processes/system.mjs'

/**
 * Ours and its peer in front of the same tool, which answers at once: SyncHub with a direct tool service, the server of the
 * official SDK whose handler fetches the tool, and the process that loads either.
 *
 * @param {import('../../processes/room.mjs').Room} room
 */
export async function startEchoPair(room) {
  const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
  const sdk = await startProgram(room, 'infra/bench/programs/mcp-peer.mjs', { args: [tool.ready] })
  const system = await startSystem(room, {
    agents: { Bench: { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'direct' } },
  })
  const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
  return { hubUrl: system.url, sdkUrl: sdk.ready, load }
}
