// The raw limit of an event's way: published to one of many channels of Redis, and read by the subscriber.
import { Redis } from 'ioredis'
import { answerQuestions } from '../load/answering.mjs'
import { sendAtPace } from '../load/pace.mjs'
import { StampReader, stamp } from '../load/stamps.mjs'

const [url = '', channels = '1'] = process.argv.slice(2)
const names = Array.from({ length: Number(channels) }, (_, at) => `bench:${at}`)
const publisher = new Redis(url)
const subscriber = new Redis(url)
const stamps = new StampReader()
// As much as an event of the hub carries.
const FILLING = 'x'.repeat(230)

subscriber.on('message', (_channel, message) => stamps.read(message))
await subscriber.subscribe(...names)

answerQuestions(async (/** @type {{ perSecond: number, durationMs: number }} */ { perSecond, durationMs }) => {
  /** @param {number} n */
  const send = (n) => void publisher.publish(names[n % names.length] ?? '', stamp() + FILLING)
  return stamps.take(await sendAtPace({ perSecond, durationMs, send }))
})
process.send?.({ ready: true })
