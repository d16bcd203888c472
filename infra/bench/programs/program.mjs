import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const watched = fileURLToPath(new URL('./watched.mjs', import.meta.url))

const END_PATIENCE_MS = 10_000

/**
 * A program in a process of its own.
 *
 * @typedef {object} Program
 * @property {any} ready what it said when it could be used
 * @property {() => Promise<{ cpuMicros: number, residentBytes: number }>} usage since its start, and now
 * @property {(question: object) => Promise<any>} ask one question of a program of the bench
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop
 */

/**
 * Starts a program of the bench, which says `{ready: ...}` over its channel, or one under test, which is ready once a line of
 * its log is. It ends with the room.
 *
 * @param {import('./room.mjs').Room} room
 * @param {string} path from the project's folder
 * @param {{ environment?: Record<string, string>, args?: readonly string[], readyLine?: (line: string) => unknown }} [options]
 *   `readyLine`: what a line of the log says, undefined where it is not the one
 * @returns {Promise<Program>}
 */
export async function startProgram(room, path, { environment = {}, args = [], readyLine } = {}) {
  const isUnderTest = readyLine !== undefined
  const profiling = isUnderTest && room.profile !== undefined ? ['--cpu-prof', `--cpu-prof-dir=${room.profile}`] : []
  const child = fork(`${root}${path}`, [...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    execArgv: ['--import', watched, ...profiling],
    stdio: ['ignore', isUnderTest ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  /** @type {Program['stop']} */
  const stop = async (signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const killer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS)
    await ended
    clearTimeout(killer)
  }
  room.atEnd(() => stop())
  const answer = async () => {
    const [message] = await once(child, 'message')
    if (message.failure !== undefined) throw new Error(message.failure)
    return message
  }
  const ready = isUnderTest ? readLog(child, readyLine) : answer().then((message) => message.ready)
  const early = ended.then(([code, signal]) => Promise.reject(new Error(`${path} ended with ${code ?? signal}`)))
  return {
    ready: await Promise.race([ready, early]),
    usage: async () => {
      child.send('usage')
      return answer()
    },
    ask: async (question) => {
      child.send(question)
      return Promise.race([answer(), early])
    },
    stop,
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {(line: string) => unknown} readyLine
 */
function readLog(child, readyLine) {
  return new Promise((resolve) => {
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readyLine(line)
      if (ready !== undefined) resolve(ready)
    })
  })
}
