// One writer and all its watchers in one process, so that the time from the first byte written to the last byte read needs no
// message between processes. The writer is the only thing that differs between the hub and its peers.

import { once } from 'node:events'
import { connect } from 'node:net'
import { answerQuestions } from '../load/answering.mjs'
import { openTraceWriter } from '../load/trace-writer.mjs'
import { openWatcherSockets } from '../load/watcher-sockets.mjs'

const { kind, url, watcherCount, ...target } = JSON.parse(process.argv[2] ?? '{}')
// With it an event is some 300 bytes on the wire.
const MESSAGE = 'x'.repeat(60)
const CLOSELY = 5

/** @type {Record<string, () => Promise<() => unknown>>} */
const WRITERS = { hub: writeToStore, bare: writeToFeed, nchan: writeToNchan }
const openWriter = WRITERS[kind]
if (openWriter === undefined) throw new Error(`nothing writes to "${kind}"`)
const write = await openWriter()
const path = kind === 'nchan' ? '/sub' : '/traces/fan-out/events?follow=1'
const watchers = await openWatcherSockets({
  url,
  paths: Array.from({ length: watcherCount }, () => path),
  closely: CLOSELY,
})
// What the log of a trace begins with.
let due = kind === 'hub' ? 3 * watcherCount : 0
await watchers.until(due)

answerQuestions(async (/** @type {{ eventsAtOnce: number, durationMs: number }} */ { eventsAtOnce, durationMs }) => {
  const before = due
  const stopPolling = pollWithoutRest()
  const startedAt = performance.now()
  do {
    due += eventsAtOnce * watcherCount
    await Promise.all([watchers.until(due), ...Array.from({ length: eventsAtOnce }, write)])
  } while (performance.now() - startedAt < durationMs)
  const seconds = (performance.now() - startedAt) / 1000
  stopPolling()
  if (watchers.count() !== due) throw new Error(`${watchers.count()} events came where ${due} were written`)
  watchers.check()
  return { perSecond: (due - before) / seconds }
})
process.send?.({ ready: true })

/** Keeps this process awake: to wake it would cost the server more than the write itself, which real watchers never cost it. */
function pollWithoutRest() {
  let polls = true
  const poll = () => {
    if (polls) setImmediate(poll)
  }
  poll()
  return () => {
    polls = false
  }
}

async function writeToStore() {
  const writer = await openTraceWriter(target.redisUrl)
  const writeProgress = await writer.begin('fan-out')
  return () => writeProgress(MESSAGE)
}

async function writeToFeed() {
  const socket = connect(Number(new URL(target.feedUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let seq = 0
  return () => {
    const data = eventData(++seq)
    socket.write(`id: ${seq}-3735928559\nevent: progress\ndata: ${data}\n\n`)
  }
}

async function writeToNchan() {
  const { host, port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  socket.resume()
  let seq = 0
  return () => {
    const data = eventData(++seq)
    const head = `POST /pub HTTP/1.1\r\nHost: ${host}\r\nX-EventSource-Event: progress\r\nContent-Length: ${data.length}`
    socket.write(`${head}\r\n\r\n${data}`)
  }
}

/**
 * An event as the hub's log holds it.
 *
 * @param {number} seq
 */
function eventData(seq) {
  return JSON.stringify({
    seq,
    at: new Date().toISOString(),
    token: `prg-${seq}`,
    traceId: 'fan-out',
    callId: '01935f60-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
    tool: 'bench_work',
    progress: seq,
    message: MESSAGE,
  })
}
