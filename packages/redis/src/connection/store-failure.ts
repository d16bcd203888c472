import { HubError } from '@synchub/protocol'

/** Replies of Redis that pass by themselves or by its operator's hand; anything else is a fault of ours. */
const AWAY_REPLY =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|BUSY|NOAUTH|WRONGPASS|NOPERM) ?/

/**
 * Turns a failure of ioredis into HUB_UNAVAILABLE where Redis is away or refuses, STORE_FULL where its memory is full. Recognised by shape: a reply of Redis
 * has the name ReplyError; everything else comes of the connection.
 * @param refusal - why the connection does not come back, where it is known; whatever is told there, Redis is away
 */
export function toStoreFailure(thrown: unknown, refusal: unknown = thrown): unknown {
  if (!hasMessage(thrown)) return thrown
  if (isReply(thrown) && thrown.message.startsWith('OOM')) {
    return new HubError('STORE_FULL', 'Redis has reached its maxmemory', { cause: thrown, retryAfterSeconds: 30 })
  }
  if (isReply(thrown) && !AWAY_REPLY.test(thrown.message)) return thrown
  const reason = isReply(refusal) ? `the store refuses: ${refusal.message.split('.')[0]}` : 'the store does not answer'
  return new HubError('HUB_UNAVAILABLE', reason, { cause: refusal, retryAfterSeconds: 2 })
}

function isReply(thrown: unknown): thrown is Error {
  return hasMessage(thrown) && thrown.name === 'ReplyError'
}

/** By shape: under a test runner errors of the system belong to another realm. */
function hasMessage(thrown: unknown): thrown is Error {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown && 'name' in thrown
}
