import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintFiles, listFiles } from './build-stamp.mjs'
import { runChild } from './child-command.mjs'
import { PreparationFailure } from './preparation-failure.mjs'

const DASHBOARD = join('apps', 'dashboard')
const STAMP_FILE = join('node_modules', '.synchub-site')

/** What goes into the pages: theirs, and the packages that they are made of. */
const SOURCE_FOLDERS = [
  join(DASHBOARD, 'src'),
  join(DASHBOARD, 'public'),
  join('packages', 'client', 'src'),
  join('packages', 'protocol', 'src'),
]
const SOURCE_FILES = [join(DASHBOARD, 'index.html'), join(DASHBOARD, 'vite.config.mjs'), 'package-lock.json']

/**
 * Builds the pages of the dashboard from what the compiler made of the packages, if anything of theirs changed.
 *
 * @param {{ root: string, signal: AbortSignal }} options
 * @returns {Promise<void>}
 * @throws {PreparationFailure} with the bundler's words
 */
export async function buildSite({ root, signal }) {
  if (!existsSync(join(root, DASHBOARD, 'vite.config.mjs'))) return
  const stamp = join(root, STAMP_FILE)
  const sources = fingerprintSite(root)
  const isBuilt = existsSync(stamp) && readFileSync(stamp, 'utf8') === `${sources}\n${fingerprintPages(root)}`
  if (isBuilt) return
  const bundler = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [bundler, 'build', DASHBOARD, '--config', join(DASHBOARD, 'vite.config.mjs'), '--logLevel', 'warn']
  const { exitCode, output } = await runChild(process.execPath, args, { cwd: root, signal })
  if (exitCode !== 0) throw new PreparationFailure(`Build: the dashboard cannot be bundled:\n${output.trim()}`)
  writeFileSync(stamp, `${sources}\n${fingerprintPages(root)}`)
}

/** @param {string} root */
function fingerprintSite(root) {
  return fingerprintFiles(root, [...SOURCE_FILES, ...SOURCE_FOLDERS.flatMap((folder) => listFiles(root, folder))])
}

/** The first page names every other file by its digest. @param {string} root */
function fingerprintPages(root) {
  return fingerprintFiles(root, [join(DASHBOARD, 'dist', 'site', 'index.html')])
}
