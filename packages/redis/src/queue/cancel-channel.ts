import type { CancelBroadcast } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'

/** Tells all processes over pub/sub that a call was cancelled; may be lost, so runners also look at a pace. */
export function createCancelBroadcast(link: RedisLink): CancelBroadcast {
  return {
    async announce(callId) {
      await link.ask((client) => client.publish(link.keys.cancelChannel, callId))
    },
  }
}
