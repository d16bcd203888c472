import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [link] a workspace of this repository
 * @property {boolean} [optional] may be missing, e.g. a binary for another system
 */

/**
 * The packages that the lock file asks for and that must be there on every machine, by their folder.
 *
 * @param {string} root
 * @returns {Map<string, LockedPackage>}
 */
export function readLockedPackages(root) {
  const packages = readPackages(join(root, 'package-lock.json'))
  return new Map([...packages].filter(([folder, locked]) => folder.includes('node_modules/') && !locked.optional))
}

/**
 * True when what npm says it installed is what the lock file asks for. npm writes its own list last, so an interrupted
 * installation has none.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  const listFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(listFile)) return false
  const installed = readPackages(listFile)
  return [...readLockedPackages(root)].every(([folder, locked]) => {
    const found = installed.get(folder)
    return found !== undefined && found.version === locked.version && found.link === locked.link
  })
}

/**
 * @param {string} file
 * @returns {Map<string, LockedPackage>}
 */
function readPackages(file) {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages))
}
