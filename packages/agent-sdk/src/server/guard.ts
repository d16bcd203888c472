import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HubError } from '@synchub/protocol'

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Refuses requests that do not come from the hub. Returns what is wrong, or undefined. */
export type Guard = (request: IncomingMessage) => HubError | undefined

/**
 * With a secret, whoever knows it may call. Without one the agent serves its own machine only, and a web page open in a browser
 * there must not reach it: neither by a name that an attacker points at loopback (Host) nor across origins (Origin).
 */
export function createGuard(secret: string | undefined): Guard {
  return secret === undefined ? checkLoopback : checkSecret(secret)
}

/** Whether `host`, a name or an address without port, is this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAME.test(host) || host === '::1'
}

function checkLoopback({ headers }: IncomingMessage): HubError | undefined {
  if (!isLoopbackHost(stripPort(headers.host ?? ''))) {
    return new HubError('FORBIDDEN', 'without a secret this agent answers only to a loopback Host')
  }
  const { origin } = headers
  if (origin === undefined) return undefined
  const isOwnMachine = URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname)
  return isOwnMachine ? undefined : new HubError('FORBIDDEN', 'without a secret this agent answers no foreign Origin')
}

function stripPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

function checkSecret(secret: string): Guard {
  const expected = digestOf(`Bearer ${secret}`)
  return ({ headers }) => {
    // Digests are of one length, so the comparison takes the same time whatever was sent.
    const isSame = timingSafeEqual(digestOf(headers.authorization ?? ''), expected)
    if (isSame) return undefined
    return new HubError('UNAUTHENTICATED', 'the secret of this agent is missing or wrong', {
      nextStep: 'Give the hub the same secret for this agent as the agent itself has.',
    })
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
