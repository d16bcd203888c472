// Watchers beside the load: some follow the notices of change all the time, others join a new trace, see its call to the end and leave.
import { setTimeout as delay } from 'node:timers/promises'
import { answerQuestions } from '../../bench/load/answering.mjs'
import { openWatcherSockets } from '../../bench/load/watcher-sockets.mjs'

const [url = '', standing = '0', coming = '0'] = process.argv.slice(2)
/** What a call of one attempt writes: received, accepted, started, complete. */
const EVENTS = 4
const PAUSE_MS = 200

let isOver = false
let seen = 0
let traces = 0
let failed = 0

const notices = await openWatcherSockets({ url, paths: Array.from({ length: Number(standing) }, () => '/events') })

async function watchOne() {
  const traceId = `watched-${++traces}`
  const watcher = await openWatcherSockets({ url, paths: [`/traces/${traceId}/events?follow=1`], closely: 1 })
  const params = { name: 'Queued.bench_echo', arguments: { text: 'hello' }, _meta: { traceId } }
  const answer = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: traceId, method: 'tools/call', params }),
  })
  if (!(await answer.text()).includes('echo')) failed++
  await watcher.until(EVENTS)
  watcher.check()
  watcher.close()
  seen += EVENTS
}

const loops = Array.from({ length: Number(coming) }, async () => {
  while (!isOver) {
    await watchOne()
    await delay(PAUSE_MS)
  }
})

answerQuestions(async () => {
  isOver = true
  await Promise.all(loops)
  notices.close()
  return { traces, events: seen, failed }
})
process.send?.({ ready: true })
