import type { IncomingMessage } from 'node:http'
import type { Authenticator, KeyAuthenticator, Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { Sessions } from '@synchub/redis'
import { comesFromOwnPage } from './own-page.js'
import { readSessionCookie } from './session-cookie.js'

/** Who may come in by what. */
export interface Doors {
  readonly authenticator: Authenticator
  /** Where people sign in with a key; absent on a hub that asks for none. */
  readonly signIn?: { readonly keys: KeyAuthenticator; readonly sessions: Sessions }
}

/**
 * The principal of a request: by its `Authorization` header, else by the session of a page of this hub.
 * @throws HubError UNAUTHENTICATED; HUB_UNAVAILABLE when a session cannot be looked up
 */
export function identify(req: IncomingMessage, doors: Doors): Principal | Promise<Principal> {
  const { authenticator, signIn } = doors
  const { authorization } = req.headers
  const secret = signIn === undefined || authorization !== undefined ? undefined : readSessionCookie(req)
  if (signIn === undefined || secret === undefined) return authenticator.authenticate(authorization)
  return identifySession(req, secret, signIn)
}

async function identifySession(
  req: IncomingMessage,
  secret: string,
  { keys, sessions }: NonNullable<Doors['signIn']>,
): Promise<Principal> {
  if (!comesFromOwnPage(req)) {
    throw new HubError('UNAUTHENTICATED', 'a session counts only for requests of the pages of this very hub', {
      nextStep: 'Open the hub in the browser, or send an API key as "Authorization: Bearer <key>".',
    })
  }
  const keyHash = await sessions.find(secret)
  const principal = keyHash === null ? undefined : keys.principalOf(keyHash)
  if (principal !== undefined) return principal
  throw new HubError('UNAUTHENTICATED', 'the session is over', { nextStep: 'Sign in again.' })
}
