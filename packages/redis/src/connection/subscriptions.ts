import type { RedisLink } from './redis-link.js'
import { toStoreFailure } from './store-failure.js'

/** Receives what is published on one channel. */
export type ChannelListener = (message: string) => void

/** The one subscribing connection of a process, shared by everything in it that listens. */
export interface Subscriptions {
  /** Listens to a channel; returns how to stop. While Redis is away this still succeeds: the channel is taken up on return. */
  add(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** Told when the connection was lost, and when all channels are subscribed again: what was published between is gone. */
  onInterruption(observer: { lost(): void; restored(): void }): () => void
  close(): void
}

/** Shares the subscriber connection of `link`; one SUBSCRIBE per channel, however many listen. */
export function shareSubscriptions(link: RedisLink): Subscriptions {
  const { subscriber } = link
  const listeners = new Map<string, Set<ChannelListener>>()
  const observers = new Set<{ lost(): void; restored(): void }>()
  const onMessage = (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  }
  const onClose = () => {
    for (const observer of observers) observer.lost()
  }
  const onReady = () => {
    const channels = [...listeners.keys()]
    const subscribed = channels.length === 0 ? Promise.resolve<unknown>(0) : subscriber.subscribe(...channels)
    subscribed.then(
      () => {
        for (const observer of observers) observer.restored()
      },
      // The connection went away again; the next `ready` comes back here.
      onClose,
    )
  }
  const subscribe = async (channel: string) => {
    if (subscriber.status !== 'ready') return
    try {
      await subscriber.subscribe(channel)
    } catch (thrown) {
      // Lost on the way: `ready` takes the channel up. A refusal of Redis itself is the caller's to know.
      if (subscriber.status === 'ready') throw toStoreFailure(thrown)
    }
  }
  subscriber.on('message', onMessage)
  subscriber.on('close', onClose)
  subscriber.on('ready', onReady)
  return {
    async add(channel, listener) {
      const present = listeners.get(channel)
      if (present === undefined) {
        listeners.set(channel, new Set([listener]))
        await subscribe(channel)
      } else {
        present.add(listener)
      }
      return async () => {
        const rest = listeners.get(channel)
        rest?.delete(listener)
        if (rest === undefined || rest.size > 0) return
        listeners.delete(channel)
        if (subscriber.status === 'ready') await subscriber.unsubscribe(channel)
      }
    },
    onInterruption(observer) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    close() {
      subscriber.off('message', onMessage)
      subscriber.off('close', onClose)
      subscriber.off('ready', onReady)
      listeners.clear()
      observers.clear()
    },
  }
}
