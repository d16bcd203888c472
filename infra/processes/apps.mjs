import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from './program.mjs'

/**
 * @typedef {object} AppOptions
 * @property {string} redisUrl
 * @property {object} [config] as in synchub.config.json; without agents where absent
 * @property {(line: string) => void} [onLine] told each line of its log
 */

/**
 * The hub as production runs it, without a dispatcher: for what needs no agent.
 *
 * @param {import('./room.mjs').Room} room
 * @param {AppOptions & { port?: number }} options `port`: a free one where absent
 * @returns {Promise<import('./program.mjs').Program>} ready with its URL
 */
export function startHub(room, { port = 0, ...options }) {
  return startProgram(room, 'apps/hub/dist/main.js', {
    ...programOptions(room, options, { HOST: '127.0.0.1', PORT: String(port) }),
    readyLine: (line) => (line.includes('"msg":"hub is listening"') ? JSON.parse(line).url : undefined),
  })
}

/**
 * The dispatcher as production runs it.
 *
 * @param {import('./room.mjs').Room} room
 * @param {AppOptions} options
 * @returns {Promise<import('./program.mjs').Program>}
 */
export function startDispatcher(room, options) {
  return startProgram(room, 'apps/dispatcher/dist/main.js', {
    ...programOptions(room, options, {}),
    readyLine: (line) => (line.includes('"msg":"dispatcher takes calls"') ? true : undefined),
  })
}

/**
 * @param {import('./room.mjs').Room} room
 * @param {AppOptions} options
 * @param {Record<string, string>} own
 */
function programOptions({ folder }, { redisUrl, config = { agents: {} }, onLine }, own) {
  const file = join(folder, 'synchub.config.json')
  writeFileSync(file, JSON.stringify(config))
  const environment = { REDIS_URL: redisUrl, SYNCHUB_CONFIG: file, LOG_LEVEL: 'info', ...own }
  return { environment, ...(onLine && { onLine }) }
}
