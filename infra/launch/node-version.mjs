// Read by Node versions that are too old: nothing in here is newer than Node 12, and nothing is imported.

const OLDEST_MAJOR = 20
const OLDEST_MINOR = 19

/**
 * The sentence for a Node that is too old for SyncHub; an empty string for one that will do.
 *
 * @param {string} version as in `process.versions.node`
 * @returns {string}
 */
export function explainOldNode(version) {
  const numbers = version.split('.').map(Number)
  const major = numbers[0] || 0
  const minor = numbers[1] || 0
  if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) return ''
  return (
    'SyncHub needs Node ' +
    OLDEST_MAJOR +
    '.' +
    OLDEST_MINOR +
    ' or newer; this is Node ' +
    version +
    '. Install a newer one from https://nodejs.org and start again.'
  )
}
