import { startProgram } from '../../processes/program.mjs'
import { startSystem } from '../../processes/system.mjs'

/**
 * Ours and its peer in front of the same tool, which answers at once: SyncHub with a direct tool service, the server of the
 * official SDK whose handler fetches the tool, and the process that loads either.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @param {object} [access] who may call, as in synchub.config.json; everybody where it is left out
 * @param {string} [name] where a room has several
 */
export async function startEchoPair(room, access = {}, name) {
  const tool = await startProgram(room, 'infra/bench/programs/tool-service.mjs')
  const sdk = await startProgram(room, 'infra/bench/programs/mcp-peer.mjs', { args: [tool.ready] })
  const agents = { Bench: { connector: 'tool-service', url: tool.ready, manifest: '/', mode: 'direct' } }
  const system = await startSystem(room, { agents, access }, undefined, name)
  const load = await startProgram(room, 'infra/bench/programs/loop.mjs')
  return { hubUrl: system.url, sdkUrl: sdk.ready, load }
}
