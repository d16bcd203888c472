// Writes events of 2 kB into one trace at a pace, as a dispatcher does.
import { answerQuestions } from '../../bench/load/answering.mjs'
import { sendAtPace } from '../../bench/load/pace.mjs'
import { stamp } from '../../bench/load/stamps.mjs'
import { openTraceWriter } from '../../bench/load/trace-writer.mjs'

const [redisUrl = '', traceId = ''] = process.argv.slice(2)
const FILLING = 'x'.repeat(2000)
const writer = await openTraceWriter(redisUrl)
const write = await writer.begin(traceId)

answerQuestions(async (/** @type {{ perSecond: number, durationMs: number }} */ pace) => {
  /** @type {Set<Promise<void>>} */
  const open = new Set()
  const send = () => {
    const written = write(stamp() + FILLING).finally(() => open.delete(written))
    open.add(written)
  }
  const sent = await sendAtPace({ ...pace, send })
  await Promise.all(open)
  return { sent }
})
process.send?.({ ready: true })
