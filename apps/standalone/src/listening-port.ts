import { createServer } from 'node:net'
import { readErrorCode } from './redis/system-error.js'
import { StartError } from './start-error.js'

/** Sees that the hub will be able to listen, before anything else is started. @throws StartError */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen(port, host, resolve)
    })
  } catch (cause) {
    throw explain(host, port, cause)
  } finally {
    probe.close()
  }
}

/** Where programs of this machine reach a hub that listens on `host`. */
export function addressOfHub(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function explain(host: string, port: number, cause: unknown): StartError {
  switch (readErrorCode(cause)) {
    case 'EADDRINUSE': {
      const remedy = 'Stop what listens there, or choose another port: PORT=4010 npm start.'
      return new StartError(`Hub: port ${port} of ${host} is in use.`, remedy, { cause })
    }
    case 'EACCES':
      return new StartError(`Hub: this user may not listen on port ${port}.`, 'Choose a port from 1024: PORT=4000.', {
        cause,
      })
    default: {
      const remedy = 'Set HOST to an address of this machine, such as 127.0.0.1.'
      return new StartError(`Hub: it is not possible to listen on ${host}.`, remedy, { cause })
    }
  }
}
