import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOADER = fileURLToPath(new URL('./register.mjs', import.meta.url))
const PROGRAM = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/**
 * How one scenario of the suite ended.
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {boolean} passed
 * @property {string} counts of its checks, in the words of the suite
 */

/**
 * Runs everything that the suite has for servers of a revision.
 *
 * @param {string} revision
 * @param {string} url of the MCP endpoint
 * @param {string} folder for what it writes of each scenario
 * @returns {Promise<{ required: readonly string[], scenarios: readonly Scenario[], text: string }>} `text`: all that it said
 */
export async function runRevision(revision, url, folder) {
  const required = namesIn(await ask(['list', '--requirements', revision]))
  const text = await ask(['server', '--url', url, '--requirements', revision, '-o', folder])
  const scenarios = [...text.matchAll(/^([✓✗]) ([\w-]+): (\d+ passed, \d+ failed.*)$/gm)].map(
    ([, mark, name = '', counts = '']) => ({ name, passed: mark === '✓', counts }),
  )
  return { required, scenarios, text }
}

/** The part of the list that servers must pass. @param {string} list */
function namesIn(list) {
  const servers = list.split('Client scenarios')[0] ?? ''
  const names = [...servers.matchAll(/^ {2}- ([\w-]+)$/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error(`the conformance suite names no required scenarios: ${list}`)
  return names
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<string>} what the suite said; that it failed is for the reader to see
 */
function ask(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', LOADER, PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const take = (/** @type {Buffer} */ chunk) => {
      text += chunk.toString('utf8')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}
