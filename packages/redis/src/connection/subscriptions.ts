import type { RedisLink } from './redis-link.js'
import { toStoreFailure } from './store-failure.js'

/** Receives what is published on one channel. */
export type ChannelListener = (message: string) => void

/** The one subscribing connection of a process, shared by everything in it that listens. */
export interface Subscriptions {
  /**
   * Listens to a channel; returns how to stop, which never fails. Settles once the channel is subscribed. While Redis is away it succeeds as
   * well: the channel is taken up on return.
   * @throws HubError HUB_UNAVAILABLE when Redis refuses or does not answer
   */
  add(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** Told when the connection was lost, and when all channels are subscribed again: what was published between is gone. */
  onInterruption(observer: { lost(): void; restored(): void }): () => void
  close(): void
}

interface Channel {
  readonly listeners: Set<ChannelListener>
  /** Shared by all who come while SUBSCRIBE is under way: none may believe that it listens before it does. */
  readonly subscribed: Promise<void>
}

/** Shares the subscriber connection of `link`; one SUBSCRIBE per channel, however many listen. */
export function shareSubscriptions(link: RedisLink): Subscriptions {
  const { subscriber } = link
  const channels = new Map<string, Channel>()
  const observers = new Set<{ lost(): void; restored(): void }>()
  const onMessage = (name: string, message: string) => {
    for (const listener of channels.get(name)?.listeners ?? []) listener(message)
  }
  const onClose = () => {
    for (const observer of observers) observer.lost()
  }
  const onReady = () => {
    const names = [...channels.keys()]
    const subscribed = names.length === 0 ? Promise.resolve<unknown>(0) : subscriber.subscribe(...names)
    subscribed.then(
      () => {
        for (const observer of observers) observer.restored()
      },
      // Lost again, or refused: the next connection comes back here.
      () => {
        if (subscriber.status === 'ready') subscriber.disconnect(true)
      },
    )
  }
  /** What is lost with the connection is made good on `ready`; a refusal of Redis itself is the caller's to know. */
  const whileConnected = async (command: () => Promise<unknown>) => {
    if (subscriber.status !== 'ready') return
    try {
      await command()
    } catch (thrown) {
      if (subscriber.status === 'ready') throw toStoreFailure(thrown)
    }
  }
  const remove = async (name: string, channel: Channel, listener: ChannelListener) => {
    channel.listeners.delete(listener)
    if (channel.listeners.size > 0 || channels.get(name) !== channel) return
    channels.delete(name)
    // Nobody can do anything about a channel that stays subscribed without need: its messages find no listener.
    await whileConnected(() => subscriber.unsubscribe(name)).catch(() => undefined)
  }
  subscriber.on('message', onMessage)
  subscriber.on('close', onClose)
  subscriber.on('ready', onReady)
  return {
    async add(name, listener) {
      let channel = channels.get(name)
      if (channel === undefined) {
        channel = { listeners: new Set(), subscribed: whileConnected(() => subscriber.subscribe(name)) }
        channels.set(name, channel)
      }
      const joined = channel
      joined.listeners.add(listener)
      try {
        await joined.subscribed
      } catch (thrown) {
        joined.listeners.delete(listener)
        if (channels.get(name) === joined) channels.delete(name)
        throw thrown
      }
      return () => remove(name, joined, listener)
    },
    onInterruption(observer) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    close() {
      subscriber.off('message', onMessage)
      subscriber.off('close', onClose)
      subscriber.off('ready', onReady)
      channels.clear()
      observers.clear()
    },
  }
}
