import type { IncomingMessage } from 'node:http'
import { mayReadQueues, type Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { Express, RequestHandler } from 'express'
import { sendError } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'

/** Where operators look into the queues. */
export const QUEUE_BOARD_PATH = '/queues/board'

const READING = ['GET', 'HEAD']

/**
 * bull-board at {@link QUEUE_BOARD_PATH}, for those with the scope `queues:read`. It reads only: what changes a queue would pass the
 * hub's own states by. Loaded when somebody first looks: it would make every start of a hub slower.
 */
export function serveQueueBoard(context: HubContext, principalOf: (req: IncomingMessage) => Principal): RequestHandler {
  let board: Promise<Express> | undefined
  return async (req, res, next) => {
    if (!mayReadQueues(principalOf(req)))
      throw new HubError('FORBIDDEN', 'the scope queues:read is needed to see the queues')
    if (!READING.includes(req.method)) {
      const error = new HubError('METHOD_NOT_ALLOWED', 'the queues are only looked at here')
      return sendError(res, error, QUEUE_BOARD_PATH, { Allow: READING.join(', ') })
    }
    board ??= import('./board-app.js').then(({ createBoardApp }) => createBoardApp(context, QUEUE_BOARD_PATH))
    const serve = await board
    serve(req, res, next)
  }
}
