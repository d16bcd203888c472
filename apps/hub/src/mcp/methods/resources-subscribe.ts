import { HubError, ResourceMissing } from '@synchub/protocol'
import { isTraceUri } from '../../offers/trace-uri.js'
import { isWatchable, MAX_WATCHED_RESOURCES } from '../listen/resource-changes.js'
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
    async handle({ uri: named }, call) {
      const id = requireSession(call)
      const uri = String(named)
      // No trace can ever have this name. What agents have may be subscribed to as the revision has it, but only traces are told of.
      if (isTraceUri(uri) && !isWatchable(uri)) throw new ResourceMissing(uri)
      const { resourceUris = [] } = call.session ?? {}
      if (resourceUris.length >= MAX_WATCHED_RESOURCES && !resourceUris.includes(uri)) {
        throw new HubError('INVALID_PARAMS', `a session subscribes to at most ${MAX_WATCHED_RESOURCES} resources`, {
          path: 'uri',
          expected: 'one of those subscribed to',
          nextStep: 'Unsubscribe from others first.',
        })
      }
      await book.change(id, (sessions) => sessions.addResource(id, uri))
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
