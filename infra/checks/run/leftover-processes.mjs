import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Set for everything that a run starts, and handed down from process to process. */
export const RUN_MARK = 'SYNCHUB_CHECK_RUN'

const END_PATIENCE_MS = 5_000

const POLL_INTERVAL_MS = 50

/**
 * Processes that a run has left behind, each as its number and command line. They are ended, so that they cannot spoil
 * the next run. Only Linux lets one read the environment of others; elsewhere none are found.
 *
 * @param {string} mark value of {@link RUN_MARK} in this run
 * @param {number} [patienceMs] how long processes that are just ending may take to do so
 * @returns {Promise<string[]>}
 */
export async function endLeftovers(mark, patienceMs = END_PATIENCE_MS) {
  if (process.platform !== 'linux') return []
  const givenUpAt = performance.now() + patienceMs
  let leftovers = findMarked(mark)
  while (leftovers.length > 0 && performance.now() < givenUpAt) {
    await delay(POLL_INTERVAL_MS)
    leftovers = findMarked(mark)
  }
  for (const { pid } of leftovers) process.kill(pid, 'SIGKILL')
  return leftovers.map(({ pid, commandLine }) => `${pid} ${commandLine}`)
}

/** @param {string} mark */
function findMarked(mark) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readProcessFile(name, 'environ').split('\0').includes(`${RUN_MARK}=${mark}`))
    .map((name) => ({ pid: Number(name), commandLine: readProcessFile(name, 'cmdline').replaceAll('\0', ' ').trim() }))
}

/**
 * @param {string} pid
 * @param {'environ' | 'cmdline'} file
 * @returns {string} empty when the process has ended or belongs to someone else
 */
function readProcessFile(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    // By shape: under a test runner the system's errors belong to another realm.
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return ''
    throw error
  }
}
