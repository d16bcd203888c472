import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './child-command.mjs'
import { isInstalled, readLockedPackages } from './installed-packages.mjs'
import { PreparationFailure } from './preparation-failure.mjs'

/** Pace of the lines about a running installation, in milliseconds. */
const LINE_INTERVAL_MS = 3_000

/** Development packages are needed to build, whatever NODE_ENV says. */
const NPM_OPTIONS = ['--include=dev', '--no-audit', '--no-fund', '--prefer-offline']

/**
 * Installs the packages of the lock file if they are not there.
 *
 * @param {{ root: string, signal: AbortSignal, say: (line: string) => void }} options
 * @returns {Promise<void>}
 * @throws {PreparationFailure} with npm's last words
 */
export async function installPackages({ root, signal, say }) {
  if (isInstalled(root)) {
    say('packages: installed')
    return
  }
  const folders = [...readLockedPackages(root).keys()]
  say(`packages: installing ${folders.length} from the lock file; the first time this takes about a minute`)
  const startedAt = performance.now()
  const ticker = setInterval(() => {
    // npm makes all folders first and fills them later; it writes a package's own file with the rest of it.
    const present = folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length
    say(`packages: ${present} of ${folders.length} after ${seconds(startedAt)} s`)
  }, LINE_INTERVAL_MS)
  try {
    await runNpm({ root, signal, say })
  } finally {
    clearInterval(ticker)
  }
  say(`packages: installed in ${seconds(startedAt)} s`)
}

/**
 * @param {{ root: string, signal: AbortSignal, say: (line: string) => void }} options
 * @returns {Promise<void>}
 */
async function runNpm({ root, signal, say }) {
  let outcome = await runChild('npm', ['ci', ...NPM_OPTIONS], { cwd: root, signal })
  if (outcome.output.includes('EUSAGE')) {
    say('packages: package.json asks for more than the lock file has; installing that too and updating the lock file')
    outcome = await runChild('npm', ['install', ...NPM_OPTIONS], { cwd: root, signal })
  }
  if (outcome.exitCode === 0) return
  const lastWords = outcome.output.trim().split('\n').slice(-8).join('\n')
  throw new PreparationFailure(
    `Packages: npm could not install them:\n${lastWords}\nSee that this machine reaches the npm registry and that ${root} can be written, then start again.`,
  )
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return Math.round((performance.now() - startedAt) / 1000)
}
