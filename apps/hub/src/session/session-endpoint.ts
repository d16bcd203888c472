import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashApiKey, type Principal, readBearer } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import { sendEmpty, sendError, sendJson } from '../http/respond.js'
import { type Doors, identify } from './identify.js'
import { ownOriginOf } from './own-page.js'
import { readSessionCookie, sessionCookie } from './session-cookie.js'

/** How long a session lasts after its sign-in: a working day. */
const SESSION_MS = 12 * 3_600_000

/**
 * `/session`, for the pages of this hub: `POST` with an API key in `Authorization` signs in and answers with a cookie, `GET`
 * says who one is, `DELETE` signs out. The key itself is kept nowhere.
 * @throws HubError UNAUTHENTICATED, FORBIDDEN (the request comes of no page of this hub), INVALID_REQUEST
 */
export async function serveSession(req: IncomingMessage, res: ServerResponse, doors: Doors): Promise<void> {
  switch (req.method) {
    case 'GET':
      return sendJson(res, 200, toSessionView(await identify(req, doors), doors))
    case 'POST':
      return signIn(req, res, doors)
    case 'DELETE':
      return signOut(req, res, doors)
    default: {
      const reason = `${req.method} is not served on /session`
      return sendError(res, new HubError('METHOD_NOT_ALLOWED', reason), '/session', { Allow: 'GET, POST, DELETE' })
    }
  }
}

async function signIn(req: IncomingMessage, res: ServerResponse, doors: Doors): Promise<void> {
  const origin = requireOwnOrigin(req)
  const { authorization } = req.headers
  const key = readBearer(authorization)
  // Checked before anything else: the answer to a bad key is that of every surface.
  const principal = doors.authenticator.authenticate(authorization)
  if (doors.signIn === undefined || key === undefined) {
    throw new HubError('INVALID_REQUEST', 'this hub asks for no key: there is nothing to sign in to')
  }
  const secret = await doors.signIn.sessions.open(hashApiKey(key), SESSION_MS)
  const cookie = sessionCookie(secret, SESSION_MS / 1000, origin)
  sendJson(res, 200, toSessionView(principal, doors), { 'Set-Cookie': cookie })
}

async function signOut(req: IncomingMessage, res: ServerResponse, doors: Doors): Promise<void> {
  const origin = requireOwnOrigin(req)
  const secret = readSessionCookie(req)
  if (secret !== undefined) await doors.signIn?.sessions.end(secret)
  sendEmpty(res, 204, { 'Set-Cookie': sessionCookie('', 0, origin) })
}

/** Another page must neither sign a person out nor in as somebody else. */
function requireOwnOrigin(req: IncomingMessage): string {
  const origin = ownOriginOf(req)
  if (origin !== undefined) return origin
  throw new HubError('FORBIDDEN', 'only pages of this hub may sign in or out', {
    nextStep: 'Open the hub in the browser; a proxy before it must pass the Host header on.',
  })
}

function toSessionView({ tenant, subject, agent, scopes }: Principal, { signIn: door }: Doors) {
  return { access: door === undefined ? 'none' : 'keys', tenant, subject, agent, scopes }
}
