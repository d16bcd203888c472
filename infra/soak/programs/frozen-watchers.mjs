// Watchers that ask for a stream and never read it, until they are told to; then they tell what they had got.
import { once } from 'node:events'
import { connect } from 'node:net'
import { answerQuestions } from '../../bench/load/answering.mjs'
import { requestStream } from '../watchers/stream-request.mjs'

const SILENCE_MS = 2000
const READ_AT_ONCE = 10

/** @type {import('node:net').Socket[]} */
const sockets = []

/** @param {string} text */
function idsOf(text) {
  return [...text.matchAll(/^id: (\d+-\d+)$/gm)].map(([, id = '']) => id)
}

/**
 * What a socket has got, up to its end; one that was not cut goes on, and is read until nothing comes any more.
 *
 * @param {import('node:net').Socket} socket
 */
async function readRest(socket) {
  /** @type {Buffer[]} */
  const chunks = []
  let isCut = false
  await new Promise((resolve) => {
    const silence = setTimeout(resolve, SILENCE_MS, undefined)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      silence.refresh()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      isCut = true
      clearTimeout(silence)
      resolve(undefined)
    })
    socket.resume()
  })
  socket.destroy()
  const ids = idsOf(Buffer.concat(chunks).toString('latin1'))
  const seqs = ids.map((id) => Number(id.split('-')[0]))
  return { isCut, lastId: ids.at(-1) ?? null, isWhole: seqs.every((seq, at) => seq === at + 1) }
}

answerQuestions(
  async (/** @type {{ join?: { url: string, path: string, count: number }, read?: boolean }} */ { join, read }) => {
    if (join !== undefined) {
      for (let at = 0; at < join.count; at++) {
        const socket = connect(Number(new URL(join.url).port), '127.0.0.1')
        await once(socket, 'connect')
        socket.pause()
        socket.write(requestStream(join.url, join.path))
        sockets.push(socket)
      }
      return {}
    }
    if (read) {
      const readers = []
      // Some at a time: together they hold more than can be read in the time after which one counts as silent.
      while (sockets.length > 0) readers.push(...(await Promise.all(sockets.splice(0, READ_AT_ONCE).map(readRest))))
      return { readers }
    }
    return {}
  },
)
process.send?.({ ready: true })
