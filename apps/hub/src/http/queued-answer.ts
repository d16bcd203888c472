import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers that have waited behind an earlier one of their connection, and are not over. */
const queues = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Closes an answer that waits behind an earlier one of its connection when that connection is lost. Node closes only the one that
 * it is writing: whoever waits for the end of the others, to give back a place say, would never hear of it.
 */
export function closeIfLostInQueue({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return
  const queue = queues.get(socket) ?? openQueue(socket)
  queue.add(res)
  res.once('close', () => queue.delete(res))
}

function openQueue(socket: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>()
  queues.set(socket, queue)
  // Not when a request closes: that comes with the end of what the client sends, and Node may still close the answer itself.
  socket.once('close', () => {
    for (const res of queue) {
      if (res.socket !== null || res.writableFinished) continue
      res.destroy()
      res.emit('close')
    }
  })
  return queue
}
