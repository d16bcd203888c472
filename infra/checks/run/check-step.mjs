import { spawn } from 'node:child_process'

/**
 * One check of a run: a program of Node with its arguments.
 *
 * @typedef {object} CheckStep
 * @property {string} name as the summary shows it
 * @property {readonly string[]} args after `node`
 * @property {NodeJS.ProcessEnv} [env] on top of this process's own
 * @property {boolean} [isLive] shows what it writes at once; else only when it fails
 * @property {() => void} [prepare] is called before it starts
 * @property {() => string} [summarise] a few words about a finished check, e.g. how many tests passed
 */

/**
 * @typedef {object} CheckResult
 * @property {string} name
 * @property {boolean} hasPassed
 * @property {number} durationMs
 * @property {string} note
 */

/** How long a check may take to end after it was asked, in milliseconds. */
const END_PATIENCE_MS = 10_000

/**
 * Runs one check to its end. An abort asks it to end, and kills it if it does not: jest waits for a test that hangs.
 *
 * @param {CheckStep} step
 * @param {{ root: string, signal: AbortSignal }} options
 * @returns {Promise<CheckResult>}
 */
export async function runStep(step, { root, signal }) {
  const startedAt = performance.now()
  step.prepare?.()
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    env: { ...process.env, ...step.env },
    stdio: ['ignore', step.isLive ? 'inherit' : 'pipe', step.isLive ? 'inherit' : 'pipe'],
  })
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS).unref()
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  signal.removeEventListener('abort', end)
  const durationMs = performance.now() - startedAt
  if (exitCode !== 0 && output !== '') console.log(`\n${output.trim()}\n`)
  console.log(`${exitCode === 0 ? '✓' : '✗'} ${step.name} (${(durationMs / 1000).toFixed(1)} s)`)
  return { name: step.name, hasPassed: exitCode === 0, durationMs, note: step.summarise?.() ?? '' }
}
