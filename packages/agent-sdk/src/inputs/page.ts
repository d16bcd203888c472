import type { JsonObject } from '@synchub/protocol'
import type { Complaint } from './complaint.js'

/** A web page that the caller is asked to open: what is done there goes past client and hub (MCP, elicitation by URL). */
export interface InputPage {
  /** Why the page is to be opened, for people. */
  readonly message: string
  /** Absolute, `https` or `http`. It holds nothing secret: clients show it, and traces keep it. */
  readonly url: string
}

/** What the caller did when it was asked to open a page; `accept` says that it was willing, not what came of it. */
export interface PageAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
}

const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:'])

/**
 * Refuses a page that clients would not open.
 * @throws Error naming the page and what is wrong
 */
export function checkPage(name: string, { message, url }: InputPage): void {
  if (typeof message !== 'string' || message === '') throw new Error(`the page ${name} needs a message`)
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !SCHEMES.has(parsed.protocol)) {
    throw new Error(`the page ${name}: its url must be absolute, of https or http`)
  }
  if (parsed.username !== '' || parsed.password !== '') throw new Error(`the page ${name}: its url must name no user`)
}

/** Reads an answer as it came: nothing in it is believed. */
export function readPageAnswer({ action }: JsonObject): PageAnswer | Complaint {
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action }
  return { complaint: 'the action must be accept, decline or cancel' }
}
