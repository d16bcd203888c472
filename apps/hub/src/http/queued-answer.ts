import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Closes an answer that waits behind an earlier one of its connection when that connection is lost. Node closes only the one that
 * it is writing: whoever waits for the end of the others, to give back a place say, would never hear of it.
 */
export function closeIfLostInQueue(req: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return
  req.once('close', () => {
    // Its turn has come meanwhile: then Node closes it.
    if (res.socket !== null || res.writableFinished) return
    res.destroy()
    res.emit('close')
  })
}
