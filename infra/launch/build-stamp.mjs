import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that hold workspaces. */
const WORKSPACE_PARENTS = ['packages', 'apps', join('apps', 'agents')]

/** What the dashboard has beside sources. */
const PAGE_FILES = ['index.html', 'vite.config.mjs']

/** Goes with the installed packages: new ones may compile to something else. */
const STAMP_FILE = join('node_modules', '.synchub-build')

/**
 * What a build depends on: each source and setting with its size and time of change. It costs a tenth of asking the
 * compiler, which would start a process and read all of them.
 *
 * @param {string} root
 * @returns {string}
 */
export function fingerprintSources(root) {
  const settings = ['tsconfig.json', 'package-lock.json', join('infra', 'checks', 'tsconfig.base.json')]
  const workspaces = listWorkspaces(root)
  const files = workspaces.flatMap((folder) => [
    join(folder, 'package.json'),
    join(folder, 'tsconfig.json'),
    ...PAGE_FILES.map((name) => join(folder, name)),
    ...listFiles(root, join(folder, 'src')),
    ...listFiles(root, join(folder, 'public')),
  ])
  return fingerprintFiles(root, [...settings, ...files])
}

/**
 * True when the last build that ended well was made of these sources, and what it made was not touched since.
 *
 * @param {string} root
 * @param {string} sources fingerprint of the sources
 * @returns {boolean}
 */
export function isBuilt(root, sources) {
  const stamp = join(root, STAMP_FILE)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === `${sources}\n${fingerprintBuild(root)}`
}

/**
 * Notes that what is built was made of these sources, and when that was seen.
 *
 * @param {string} root
 * @param {string} sources fingerprint of the sources, taken before the build
 */
export function stampBuild(root, sources) {
  writeFileSync(join(root, STAMP_FILE), `${sources}\n${fingerprintBuild(root)}`)
}

/** Compiler and bundler rewrite one of these files of a workspace with everything that they make. @param {string} root */
function fingerprintBuild(root) {
  const made = listWorkspaces(root).flatMap((folder) => [
    join(folder, 'dist', '.tsbuildinfo'),
    join(folder, 'dist', 'site', 'index.html'),
  ])
  return fingerprintFiles(root, made)
}

/** @param {string} root */
function listWorkspaces(root) {
  return WORKSPACE_PARENTS.filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
}

/**
 * All that lies below a folder, from the root; nothing where there is no such folder.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(root, folder) {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.map((name) => join(folder, name))
}

/**
 * Each file with its size and time of change.
 *
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {string}
 */
export function fingerprintFiles(root, files) {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const stats = statSync(join(root, file), { throwIfNoEntry: false })
    hash.update(`${file} ${stats?.size} ${stats?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}
