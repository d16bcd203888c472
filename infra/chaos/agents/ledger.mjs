import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * What an agent executed, written before it does anything else: the file survives the kill of its writer.
 *
 * @typedef {object} Execution
 * @property {number} order the business operation of the caller
 * @property {string} tool
 * @property {string} callId
 * @property {number} attempt
 * @property {number} pid
 */

/** @param {string} file @param {Omit<Execution, 'pid'>} execution */
export function noteExecution(file, execution) {
  appendFileSync(file, `${JSON.stringify({ ...execution, pid: process.pid })}\n`)
}

/**
 * @param {string} file
 * @returns {Execution[]}
 */
export function readLedger(file) {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
