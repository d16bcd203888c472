import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { HubError } from '@synchub/protocol'

/**
 * A run access token as it was shown: what it claims, and the digest by which the claim is checked. The text itself goes no further
 * than here.
 */
export interface ShownRunAccess {
  readonly callId: string
  readonly attempt: number
  /** SHA-256 of the whole text, hex. */
  readonly digest: string
}

/** A run access token that was just made. */
export interface MintedRunAccess {
  /** Known to the process that made it and to the agent, for as long as the attempt runs; never written down. */
  readonly accessToken: string
  /** What is kept of it: SHA-256, hex. Its 256 random bits make a slow hash pointless. */
  readonly digest: string
}

const SCHEME = /^Bearer shr_/i
const SHOWN = /^Bearer (shr_([0-9a-f-]{36})\.([1-9][0-9]{0,8})\.[A-Za-z0-9_-]{43})$/i
// Also one whose end was cut off with the text around it: what is left of it makes the rest easier to guess.
const ANYWHERE = /shr_[0-9a-f-]{36}\.[0-9]{1,9}\.[A-Za-z0-9_-]{1,43}/g

/** Makes the access token of one run: opaque to the agent, unguessable, and naming the call and attempt that it stands for. */
export function mintRunAccess(callId: string, attempt: number): MintedRunAccess {
  const accessToken = `shr_${callId}.${attempt}.${randomBytes(32).toString('base64url')}`
  return { accessToken, digest: digestOf(accessToken) }
}

/**
 * Reads a run access token out of an `Authorization` header; undefined where something else stands there, or nothing.
 * @throws HubError UNAUTHENTICATED for one that is cut or changed: it must not pass for no credential at all
 */
export function readRunAccess(authorization: string | undefined): ShownRunAccess | undefined {
  if (authorization === undefined || !SCHEME.test(authorization)) return undefined
  const [, accessToken, callId, attempt] = SHOWN.exec(authorization) ?? []
  if (accessToken === undefined || callId === undefined) {
    throw new HubError('UNAUTHENTICATED', 'the run access token is not whole')
  }
  return { callId, attempt: Number(attempt), digest: digestOf(accessToken) }
}

/** Whether the digest that was kept is that of the token that was shown; takes the same time whatever differs. */
export function isRunAccess(shown: ShownRunAccess, kept: string | undefined): boolean {
  const digest = Buffer.from(kept ?? '')
  return digest.length === shown.digest.length && timingSafeEqual(digest, Buffer.from(shown.digest))
}

/** The text without any run access token in it, nor the beginning of one. */
export function maskRunAccess(text: string, mask: string): string {
  return text.replaceAll(ANYWHERE, mask)
}

function digestOf(accessToken: string): string {
  return hash('sha256', accessToken, 'hex')
}
