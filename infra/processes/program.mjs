import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const watched = fileURLToPath(new URL('./watched.mjs', import.meta.url))

const END_PATIENCE_MS = 10_000

/**
 * A program in a process of its own.
 *
 * @template [Ready=string]
 * @typedef {object} Program
 * @property {Ready} ready what it said when it could be used
 * @property {() => Promise<{ cpuMicros: number, residentBytes: number, handles: number }>} usage since its start, and now; handles are
 *   timers, sockets and whatever else keeps it alive
 * @property {() => Promise<{ residentBytes: number, heapBytes: number, handles: number }>} settled the same once its
 *   garbage is collected, which changes how its memory grows from then on
 * @property {(question: object) => Promise<unknown>} ask one question of a program of ours; who asks knows what it answers
 * @property {(signal: NodeJS.Signals) => void} signal sends it one, whatever comes of it
 * @property {(signal?: NodeJS.Signals) => Promise<number | null>} stop its exit code; null where a signal ended it
 */

/**
 * @typedef {object} ProgramOptions
 * @property {Record<string, string>} [environment]
 * @property {readonly string[]} [args]
 * @property {(line: string) => unknown} [readyLine] what a line of its log says, undefined where it is not the one
 * @property {(line: string) => void} [onLine] told each line of its log
 */

/**
 * Starts a program of ours, which says `{ready: ...}` over its channel, or one under test, which is ready once a line of
 * its log is. It ends with the room.
 *
 * @template [Ready=string]
 * @param {import('./room.mjs').Room} room
 * @param {string} path from the project's folder
 * @param {ProgramOptions} [options]
 * @returns {Promise<Program<Ready>>}
 */
export async function startProgram(room, path, { environment = {}, args = [], readyLine, onLine } = {}) {
  const isUnderTest = readyLine !== undefined
  const isHeard = isUnderTest || onLine !== undefined
  const profiling = isUnderTest && room.profile !== undefined ? ['--cpu-prof', `--cpu-prof-dir=${room.profile}`] : []
  const child = fork(`${root}${path}`, [...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    execArgv: ['--import', watched, ...profiling],
    stdio: ['ignore', isHeard ? 'pipe' : 'ignore', onLine === undefined ? 'inherit' : 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit')
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  /** @type {Program['stop']} */
  const stop = async (signal = 'SIGTERM') => {
    if (!isOver()) child.kill(signal)
    const killer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS)
    await ended
    clearTimeout(killer)
    return child.exitCode
  }
  room.atEnd(async () => void (await stop()))
  const answer = async () => {
    const [message] = await once(child, 'message')
    if (message.failure !== undefined) throw new Error(message.failure)
    return message
  }
  const said = readLog(child, readyLine, onLine)
  const ready = isUnderTest ? said : answer().then((message) => message.ready)
  const early = ended.then(([code, signal]) => Promise.reject(new Error(`${path} ended with ${code ?? signal}`)))
  return {
    ready: await Promise.race([ready, early]),
    usage: async () => {
      child.send('usage')
      return answer()
    },
    settled: async () => {
      child.send('settled')
      return answer()
    },
    ask: async (question) => {
      child.send(question)
      return Promise.race([answer(), early])
    },
    signal: (signal) => void (isOver() || child.kill(signal)),
    stop,
  }
}

/**
 * Settles with what the line says that shows that the program is ready.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {ProgramOptions['readyLine']} readyLine
 * @param {ProgramOptions['onLine']} onLine
 */
function readLog({ stdout, stderr }, readyLine, onLine) {
  if (stderr !== null) createInterface({ input: stderr }).on('line', (line) => onLine?.(line))
  return new Promise((resolve) => {
    if (stdout === null) return
    createInterface({ input: stdout }).on('line', (line) => {
      onLine?.(line)
      const ready = readyLine?.(line)
      if (ready !== undefined) resolve(ready)
    })
  })
}
