// Reads one whole trace: as a client of the hub does, or straight out of Redis.
import { Redis } from 'ioredis'
import { createClient } from '../../../packages/client/dist/index.js'
import { createKeys } from '../../../packages/redis/dist/index.js'
import { answerQuestions } from '../load/answering.mjs'

const { url, redisUrl, trace } = JSON.parse(process.argv[2] ?? '{}')
const client = createClient({ baseUrl: url })
const redis = new Redis(redisUrl)
const { log } = createKeys('synchub').trace(trace)
/** As many as the client takes. */
const PAGE_EVENTS = 1000

answerQuestions(async (/** @type {{ how: 'client' | 'scan', events: number }} */ { how, events }) => {
  const startedAt = performance.now()
  let read = 0
  /** @param {number} seq */
  const take = (seq) => {
    if (seq !== ++read) throw new Error(`event ${seq} came where ${read} was due`)
  }
  if (how === 'client') {
    for await (const page of client.eventPages(trace.traceId)) for (const { data } of page) take(data.seq)
  } else await scan(take)
  if (read !== events) throw new Error(`${read} of ${events} events were read`)
  return { perSecond: (events * 1000) / (performance.now() - startedAt) }
})
process.send?.({ ready: true })

/** @param {(seq: number) => void} take */
async function scan(take) {
  for (let start = '-'; ; ) {
    const entries = await redis.xrange(log, start, '+', 'COUNT', PAGE_EVENTS)
    for (const [, fields] of entries) take(JSON.parse(fields[5] ?? '').seq)
    if (entries.length < PAGE_EVENTS) return
    start = `(${entries.at(-1)?.[0]}`
  }
}
