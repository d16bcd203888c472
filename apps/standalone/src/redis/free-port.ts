import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that was free a moment ago; whoever uses it must be ready to find it taken, and ask again. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new TypeError('a listening TCP server has a numeric port')
  return address.port
}
