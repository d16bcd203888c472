import type { IncomingMessage } from 'node:http'

const NAME = 'synchub-session'
/** Browsers take a cookie of this prefix only from this very host, over TLS, for all of its paths (RFC 6265bis section 4.1.3). */
const HOST_NAME = `__Host-${NAME}`
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The secret of the session that a request belongs to; undefined where it has none. */
export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((part) => part.trim())
  for (const name of [HOST_NAME, NAME]) {
    const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
    if (value !== undefined && SECRET.test(value)) return value
  }
  return undefined
}

/**
 * A `Set-Cookie` header. Scripts cannot read it, and no other site's request carries it. The page itself says by its origin
 * whether it came over TLS: a hub behind a proxy cannot tell.
 * @param maxAgeSeconds - 0 takes the cookie back
 */
export function sessionCookie(secret: string, maxAgeSeconds: number, origin: string): string {
  const isSecure = origin.startsWith('https:')
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
  return isSecure ? `${HOST_NAME}=${secret}; ${attributes}; Secure` : `${NAME}=${secret}; ${attributes}`
}
