import type { RedisLink } from '../connection/redis-link.js'
import type { Subscriptions } from '../connection/subscriptions.js'

/** Tells all hubs over pub/sub that a client cancelled a request; only the hub that works on it knows the request. */
export interface RequestCancels {
  /** Tells the others. @throws HubError HUB_UNAVAILABLE */
  announce(request: string, reason: string): Promise<void>
  /** Is told from now on; for the life of the store. */
  listen(onCancel: (request: string, reason: string) => void): void
}

/** The cancels of requests over Redis. */
export function createRequestCancels(
  link: RedisLink,
  subscriptions: Subscriptions,
  onFailure: (thrown: unknown) => void,
): RequestCancels {
  const channel = link.keys.requestCancelChannel
  return {
    async announce(request, reason) {
      await link.ask((client) => client.publish(channel, JSON.stringify([request, reason])))
    },
    listen(onCancel) {
      const take = (message: string) => {
        const [request, reason] = JSON.parse(message) as [string, string]
        onCancel(request, reason)
      }
      subscriptions.add(channel, take).catch(onFailure)
    },
  }
}
