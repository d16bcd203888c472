// The peer of the fan-out: node:http alone. Every event that comes in is written once to each watcher, the same bytes to all.
import { createServer } from 'node:http'
import { createServer as createFeed } from 'node:net'
import { listeningUrl } from '../../processes/listening-url.mjs'

/** @type {Set<import('node:http').ServerResponse>} */
const watchers = new Set()

const server = createServer((_req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' })
  res.write('retry: 1000\n\n')
  watchers.add(res)
  res.once('close', () => watchers.delete(res))
})

const feed = createFeed((socket) => {
  let rest = ''
  socket.setEncoding('latin1').on('data', (text) => {
    rest += text
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const event = Buffer.from(rest.slice(0, end + 2), 'latin1')
      rest = rest.slice(end + 2)
      for (const res of watchers) res.write(event)
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  feed.listen(0, '127.0.0.1', () => {
    process.send?.({ ready: { url: listeningUrl(server), feedUrl: listeningUrl(feed) } })
  })
})
