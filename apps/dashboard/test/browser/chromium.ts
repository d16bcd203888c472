import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const WITHOUT_CHROMIUM =
  'No Chromium was found, so nothing was tried in a browser. Install one (Debian and Ubuntu, as root: apt-get install -y chromium) and run this again.'

/** The Chromium of this machine; undefined where there is none. */
function findChromium(path = process.env.PATH ?? ''): string | undefined {
  const files = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return files.find((file) => existsSync(file))
}

/** Starts the browser without a window. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(WITHOUT_CHROMIUM)
  // Its sandbox wants a user that is not root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}

/**
 * Declares tests that need a browser. Where this machine has none it is said how to get one, and everything else goes on.
 * @param declare - declares the tests and their hooks
 */
export function describeInBrowser(name: string, declare: () => void): void {
  if (findChromium() !== undefined) {
    describe(`${name}, in a browser`, () => {
      declare()
    })
    return
  }
  process.stderr.write(`${WITHOUT_CHROMIUM}\n`)
  describe(`${name}, in a browser`, () => {
    test('is tried on machines with a Chromium', () => {
      expect(findChromium()).toBeUndefined()
    })
  })
}
