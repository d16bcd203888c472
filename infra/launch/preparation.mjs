import { buildWorkspaces } from './build-workspaces.mjs'
import { installPackages } from './install-packages.mjs'
import { Interruption } from './preparation-failure.mjs'

/**
 * Brings a clone to where its code can run: packages installed, sources compiled. Ctrl-C and SIGTERM end it in good
 * order; afterwards both signals mean again what they meant before.
 *
 * @param {{ root: string, say: (step: 1 | 2, line: string) => void }} options
 * @returns {Promise<void>}
 * @throws {import('./preparation-failure.mjs').PreparationFailure} when packages or build fail
 * @throws {Interruption} when the user ended it
 */
export async function prepareClone({ root, say }) {
  const interruption = new AbortController()
  /** @param {NodeJS.Signals} signalName */
  const interrupt = (signalName) => interruption.abort(new Interruption(signalName === 'SIGINT' ? 'SIGINT' : 'SIGTERM'))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    const { signal } = interruption
    await installPackages({ root, signal, say: (line) => say(1, line) })
    await buildWorkspaces({ root, signal, say: (line) => say(2, line) })
    signal.throwIfAborted()
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}
