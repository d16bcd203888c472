import { spawn } from 'node:child_process'

/**
 * @typedef {object} ChildOutcome
 * @property {number} exitCode 127 when there is no such command, 1 when a signal ended it
 * @property {string} output both outputs in the order in which they came
 */

/**
 * Runs a command to its end and collects what it writes. An abort ends the command with SIGTERM; the call still waits
 * until it has ended, so that nothing is left running, and then rejects with the signal's reason.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, signal: AbortSignal, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void }} options
 * @returns {Promise<ChildOutcome>}
 */
export function runChild(command, args, { cwd, signal, env = process.env, onOutput }) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => child.kill('SIGTERM')
    signal.addEventListener('abort', end, { once: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        onOutput?.(text)
      })
    }
    child.once('error', (error) => resolve({ exitCode: 127, output: `${command}: ${error.message}` }))
    child.once('close', (exitCode) => {
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve({ exitCode: exitCode ?? 1, output })
    })
  })
}
