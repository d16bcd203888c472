import { once } from 'node:events'
import { connect } from 'node:net'
import { readEventSeqs } from './event-seqs.mjs'

/**
 * Readers of event streams on raw sockets, which count the events that have come whole. All share one buffer to read into: a
 * client library would cost more than what is measured.
 *
 * @typedef {object} WatcherSockets
 * @property {number} joinMs until every answer had begun
 * @property {(events: number) => Promise<void>} until resolves once so many events have come in all
 * @property {() => number} count of the events that have come
 * @property {() => void} check that the readers which are listened to closely have seen every event once and in order
 * @property {() => void} close
 */

/** An event's data is JSON, so that its end looks like this; a comment's does not. */
const EVENT_END = Buffer.from('}\n\n')
const HEAD_END = '\r\n\r\n'
const READ_BYTES = 256 * 1024
/** So many connections are opened at a time; more would overflow the queue of those that wait to be accepted. */
const OPENED_AT_A_TIME = 200
/** Ports of one address are not enough for all watchers of all rows. */
const CONNECTIONS_OF_ADDRESS = 10_000

/**
 * Opens a watcher for each path.
 *
 * @param {{ url: string, paths: readonly string[], closely?: number, onRead?: (bytes: Buffer) => void }} options `closely`: of so
 *   many watchers all bytes are kept, for {@link WatcherSockets.check}
 * @returns {Promise<WatcherSockets>}
 */
export async function openWatcherSockets({ url, paths, closely = 0, onRead }) {
  const target = new URL(url)
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  /** @type {import('node:net').Socket[]} */
  const sockets = []
  /** @type {Buffer[][]} */
  const kept = []
  let events = 0
  let wanted = Number.POSITIVE_INFINITY
  let onWhole = () => {}

  /** @param {number} at */
  const open = async (at) => {
    const end = new EndCounter()
    /** @type {Buffer[] | undefined} */
    const own = at < closely ? [] : undefined
    if (own !== undefined) kept.push(own)
    let isOpen = false
    let onOpen = () => {}
    const opened = new Promise((resolve) => {
      onOpen = () => resolve(undefined)
    })
    /** @param {number} length */
    const read = (length) => {
      const bytes = buffer.subarray(0, length)
      own?.push(Buffer.from(bytes))
      onRead?.(bytes)
      if (!isOpen) {
        const text = bytes.toString('latin1')
        if (!text.startsWith('HTTP/1.1 200') || !text.includes(HEAD_END))
          throw new Error(`no stream: ${text.slice(0, 300)}`)
        isOpen = true
        onOpen()
      }
      const more = end.count(bytes)
      events += more
      if (more > 0 && events >= wanted) onWhole()
      return true
    }
    const socket = connect({
      port: Number(target.port),
      host: target.hostname,
      ...(at < CONNECTIONS_OF_ADDRESS
        ? {}
        : { localAddress: `127.0.0.${1 + Math.floor(at / CONNECTIONS_OF_ADDRESS)}` }),
      onread: { buffer, callback: read },
    })
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(
      `GET ${paths[at]} HTTP/1.1\r\nHost: ${target.host}\r\nAccept: text/event-stream\r\nCache-Control: no-cache\r\nUser-Agent: bench\r\n\r\n`,
    )
    await opened
  }

  const startedAt = performance.now()
  for (let from = 0; from < paths.length; from += OPENED_AT_A_TIME) {
    const some = Math.min(OPENED_AT_A_TIME, paths.length - from)
    await Promise.all(Array.from({ length: some }, (_, at) => open(from + at)))
  }
  return {
    joinMs: performance.now() - startedAt,
    until(count) {
      wanted = count
      return new Promise((resolve) => {
        onWhole = () => {
          wanted = Number.POSITIVE_INFINITY
          resolve()
        }
        if (events >= wanted) onWhole()
      })
    },
    count: () => events,
    check() {
      for (const chunks of kept) {
        const seqs = readEventSeqs(Buffer.concat(chunks).toString('latin1'))
        const wrong = seqs.findIndex((seq, at) => seq !== (seqs[0] ?? 0) + at)
        if (wrong !== -1) throw new Error(`a watcher read ${seqs[wrong]} after ${seqs[wrong - 1]}`)
      }
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Counts the ends of events in what one socket reads, wherever the reads are cut. */
class EndCounter {
  /** How much of an end the last read closed with. */
  #begun = 0

  /** @param {Buffer} bytes */
  count(bytes) {
    let events = 0
    let from = 0
    if (this.#begun > 0) {
      const rest = EVENT_END.subarray(this.#begun)
      const isLong = bytes.length >= rest.length
      if (isLong && bytes.subarray(0, rest.length).equals(rest)) {
        events++
        from = rest.length
      } else if (!isLong && bytes[0] === rest[0]) {
        this.#begun++
        return 0
      }
    }
    for (let at = bytes.indexOf(EVENT_END, from); at !== -1; at = bytes.indexOf(EVENT_END, from)) {
      events++
      from = at + EVENT_END.length
    }
    this.#begun = begunBy(bytes, from)
    return events
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} from
 */
function begunBy(bytes, from) {
  const { length } = bytes
  if (length - from >= 2 && bytes[length - 2] === EVENT_END[0] && bytes[length - 1] === EVENT_END[1]) return 2
  return length > from && bytes[length - 1] === EVENT_END[0] ? 1 : 0
}
