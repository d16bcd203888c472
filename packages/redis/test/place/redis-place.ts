import { once } from 'node:events'
import { createServer } from 'node:net'

/** A Redis that tests use. Read when a test runs, since a cluster is there only after its set-up. */
export interface RedisPlace {
  /** As `openRedisLink` takes it: one URL, or those of the nodes of a cluster. */
  url(): string
}

/** The server that all test files share; each test keeps to a prefix of its own. */
export const SHARED_REDIS: RedisPlace = { url: () => readEnvironment('SYNCHUB_TEST_REDIS_URL') }

/** The program for tests that start servers of their own. */
export const serverProgram = (): string => readEnvironment('SYNCHUB_TEST_REDIS_SERVER')

/** A port on which nothing listens now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

function readEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run the tests with infra/checks/jest.config.mjs`)
  return value
}
