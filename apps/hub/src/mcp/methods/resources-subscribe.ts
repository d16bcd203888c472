import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { requireSession } from '../session/required-session.js'
import type { SessionBook } from '../session/session-book.js'

const PARAMS = { type: 'object', required: ['uri'], properties: { uri: { type: 'string', maxLength: 2048 } } }

/** `resources/subscribe` of the legacy era: the session's stream is told when the resource changes. */
export function resourcesSubscribe(book: SessionBook): McpMethod {
  return mcpMethod({
    name: 'resources/subscribe',
    eras: ['legacy'],
    params: PARAMS,
    async handle({ uri }, call) {
      const id = requireSession(call)
      await book.change(id, (sessions) => sessions.addResource(id, String(uri)))
      return { kind: 'complete', result: {} }
    },
  })
}

/** `resources/unsubscribe`: ends that; what was never subscribed to is no error. */
export function resourcesUnsubscribe(book: SessionBook): McpMethod {
  return mcpMethod({
    name: 'resources/unsubscribe',
    eras: ['legacy'],
    params: PARAMS,
    async handle({ uri }, call) {
      const id = requireSession(call)
      await book.change(id, (sessions) => sessions.removeResource(id, String(uri)))
      return { kind: 'complete', result: {} }
    },
  })
}
