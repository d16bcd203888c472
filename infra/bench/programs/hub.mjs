import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from './program.mjs'

/**
 * The hub as production runs it, without a dispatcher: for what needs no agent.
 *
 * @param {import('./room.mjs').Room} room
 * @param {string} redisUrl
 * @param {object} [config] as in synchub.config.json
 * @returns {Promise<import('./program.mjs').Program>} ready with its URL
 */
export function startHub(room, redisUrl, config = { agents: {} }) {
  const file = join(room.folder, 'hub.config.json')
  writeFileSync(file, JSON.stringify(config))
  return startProgram(room, 'apps/hub/dist/main.js', {
    environment: { REDIS_URL: redisUrl, SYNCHUB_CONFIG: file, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info' },
    readyLine: (line) => (line.includes('"msg":"hub is listening"') ? JSON.parse(line).url : undefined),
  })
}
