import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { hasApt, runApt } from '../../../apps/standalone/dist/redis/apt-packages.js'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Tells the tests in `SYNCHUB_TEST_CHROMIUM` which Chromium to drive. Where this machine has none and lets us, Debian's
 * is installed; else the variable stays unset, and the tests that need a browser say how to get one.
 *
 * @param {object} options
 * @param {boolean} options.mayInstall whether a browser may be installed that is not there
 * @param {(line: string) => void} options.onProgress
 */
export async function provideTestBrowser({ mayInstall, onProgress }) {
  const isAllowed = mayInstall && process.getuid?.() === 0
  const program = findChromium() ?? (isAllowed ? await installChromium(onProgress) : undefined)
  if (program !== undefined) process.env.SYNCHUB_TEST_CHROMIUM = program
}

function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((file) => existsSync(file))
}

/** @param {(line: string) => void} onProgress */
async function installChromium(onProgress) {
  if (!(await hasApt())) return undefined
  try {
    onProgress('browser: none on this machine; reading the package lists (apt-get update, 1 of 2)')
    await runApt('apt-get', ['update'])
    onProgress('browser: installing chromium, which takes a minute or two (apt-get install, 2 of 2)')
    await runApt('apt-get', ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60', 'chromium'])
  } catch (error) {
    // All that needs no browser is tested all the same.
    onProgress(`browser: ${error instanceof Error ? error.message : String(error)}`)
  }
  return findChromium()
}
