import { describe, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'

const WITHOUT_CHROMIUM =
  'No Chromium was found, so nothing was tried in a browser. Install one (Debian and Ubuntu, as root: apt-get install -y chromium) and run this again.'

/** The Chromium that the run of tests has found or installed; undefined where there is none. */
const chromiumProgram = process.env.SYNCHUB_TEST_CHROMIUM

/** Starts the browser without a window. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error(WITHOUT_CHROMIUM)
  // Its sandbox wants a user that is not root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: chromiumProgram, args })
}

/**
 * Declares tests that need a browser. Where this machine has none it is said how to get one, and everything else goes on.
 * @param declare - declares the tests and their hooks
 */
export function describeInBrowser(name: string, declare: () => void): void {
  if (chromiumProgram !== undefined) {
    describe(`${name}, in a browser`, () => {
      declare()
    })
    return
  }
  process.stderr.write(`${WITHOUT_CHROMIUM}\n`)
  describe(`${name}, in a browser`, () => {
    test('is tried on machines with a Chromium', () => {
      expect(chromiumProgram).toBeUndefined()
    })
  })
}
