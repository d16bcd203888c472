import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where processes are started in. Whatever was started last ends first, and nothing is left behind.
 *
 * @typedef {object} Room
 * @property {string} folder a temporary folder
 * @property {string | undefined} profile where CPU profiles go
 * @property {(end: () => Promise<void> | void) => void} atEnd
 * @property {() => void} keepFolder leaves the folder to whoever wants to know what happened
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} name of the program that opens it
 * @param {{ profile?: string | undefined }} [options]
 * @returns {Promise<Room>}
 */
export async function openRoom(name, { profile } = {}) {
  const folder = mkdtempSync(join(tmpdir(), `synchub-${name}-`))
  /** @type {(() => Promise<void> | void)[]} */
  const ends = []
  /** @type {Promise<void> | undefined} */
  let closing
  let isKept = false
  const close = async () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    try {
      for (const end of ends.toReversed()) await end()
    } finally {
      if (!isKept) rmSync(folder, { recursive: true, force: true })
    }
  }
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  const interrupt = () => void closeOnce().finally(() => process.exit(130))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    folder,
    profile,
    atEnd: (end) => ends.push(end),
    keepFolder: () => {
      isKept = true
    },
    close: closeOnce,
  }
}
