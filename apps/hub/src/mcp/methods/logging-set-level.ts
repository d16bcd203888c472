import { LOG_LEVELS } from '@synchub/protocol'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { requireSession } from '../session/required-session.js'
import type { SessionBook } from '../session/session-book.js'

/** `logging/setLevel` of the legacy era: from which level on this session is told what happens to its calls. */
export function loggingSetLevel(book: SessionBook): McpMethod {
  return mcpMethod({
    name: 'logging/setLevel',
    eras: ['legacy'],
    params: { type: 'object', required: ['level'], properties: { level: { enum: LOG_LEVELS } } },
    async handle({ level }, call) {
      const id = requireSession(call)
      await book.change(id, (sessions) => sessions.setLogLevel(id, String(level)))
      return { kind: 'complete', result: {} }
    },
  })
}
