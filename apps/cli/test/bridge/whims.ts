import { setTimeout as delay } from 'node:timers/promises'
import { notice, openStream, type PostedMessage, sendMessage, sendResult } from './bridged-hub.js'

/** The method of everything that a hub of whims tells by itself. */
export const TOLD = 'notifications/progress'
/** The method of what it asks. */
export const ASKED = 'elicitation/create'

const error = (code: number) => ({ code, message: 'no' })

/** Ways in which what stands at the hub's address may answer a request. */
const ANSWERS = {
  result: (posted) => sendResult(posted, { done: true }),
  session: (posted) => sendResult(posted, { protocolVersion: '2025-11-25' }, { 'Mcp-Session-Id': 'session-1' }),
  error: (posted) => sendMessage(posted, { jsonrpc: '2.0', id: posted.body.id, error: error(-32603) }),
  lines: ({ res, body }) =>
    res
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { text: 'a\r\nb' } }, null, 2)),
  refused: (posted) => sendMessage(posted, { jsonrpc: '2.0', error: error(-31401) }, { status: 401 }),
  nameless: (posted) => sendMessage(posted, { jsonrpc: '2.0', id: null, error: error(-32600) }, { status: 400 }),
  mismatch: (posted) => sendMessage(posted, { jsonrpc: '2.0', id: posted.body.id, error: error(-32020) }),
  gone: (posted) => sendMessage(posted, { jsonrpc: '2.0', error: error(-31404) }, { status: 404 }),
  other: (posted) => sendMessage(posted, { jsonrpc: '2.0', id: 'another', result: {} }),
  page: ({ res }) => res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>'),
  text: ({ res }) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{'),
  empty: ({ res }) => res.writeHead(204).end(),
  cut: ({ res }) =>
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 }).write('{', () => res.destroy()),
  refusing: ({ res }) => res.destroy(),
  async late(posted) {
    await delay(5)
    sendResult(posted, { late: true })
  },
  stream(posted) {
    const write = openStream(posted)
    write(notice(TOLD, { progress: 1 }))
    write({ jsonrpc: '2.0', id: 'question', method: ASKED, params: {} })
    write({ jsonrpc: '2.0', id: posted.body.id, result: { streamed: true } })
    // What comes after a response is none.
    write({ jsonrpc: '2.0', id: posted.body.id, result: { twice: true } })
    posted.res.end()
  },
  unanswered(posted) {
    openStream(posted)(notice(TOLD, { progress: 1 }))
    posted.res.end()
  },
  garbled(posted) {
    openStream(posted)
    posted.res.end('data: {\n\n')
  },
} satisfies Record<string, (posted: PostedMessage) => unknown>

/** The name of a way to answer. */
export type Whim = keyof typeof ANSWERS

/** All of them. */
export const WHIMS = Object.keys(ANSWERS) as Whim[]

/** Answers a message in this way; one without an id is taken or refused. */
export function answerBy(whim: Whim, posted: PostedMessage): unknown {
  if (posted.body.id !== undefined && posted.body.method !== undefined) return ANSWERS[whim](posted)
  if (whim === 'cut' || whim === 'refusing') return posted.res.destroy()
  return posted.res.writeHead(whim === 'page' ? 502 : 202).end()
}
