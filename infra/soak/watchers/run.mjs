import { openRoom } from '../../processes/room.mjs'
import { abortWatchers } from './dead.mjs'
import { floodSlowWatchers } from './slow.mjs'

/**
 * Slow and dead watchers, each beside a hub of its own.
 *
 * @param {Pick<import('../arguments.mjs').Wishes, 'short'>} wishes
 * @returns {Promise<boolean>} whether all is as it should be
 */
export async function runWatchers({ short }) {
  const verdicts = []
  for (const scenario of [floodSlowWatchers, abortWatchers]) {
    const room = await openRoom('watchers')
    try {
      verdicts.push(await scenario(room, short))
    } finally {
      await room.close()
    }
  }
  return verdicts.every((isGood) => isGood)
}
