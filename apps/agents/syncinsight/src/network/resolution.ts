import { lookup } from 'node:dns/promises'
import { checkAddress } from './target.js'

/** An address of a host. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Finds the addresses of a host name; the system's resolver unless a test gives another. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** The system's resolver: hosts file, then DNS. */
export const resolveWithSystem: ResolveHost = async (hostname) => lookup(hostname, { all: true, verbatim: true })

/** Addresses that were checked, for one connection to be pinned to; or why there are none. */
export type Resolution =
  | { readonly outcome: 'resolved'; readonly addresses: readonly ResolvedAddress[] }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string }

/**
 * Resolves a host name and checks every address it stands for: one bad address among good ones refuses the host, since whoever
 * controls the name controls which of them is used.
 */
export async function resolveChecked(
  hostname: string,
  privateAllowed: boolean,
  resolve: ResolveHost,
): Promise<Resolution> {
  let addresses: readonly ResolvedAddress[]
  try {
    addresses = await resolve(hostname)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return { outcome: 'failed', reason: `the host ${hostname} could not be resolved (${code})` }
  }
  if (addresses.length === 0) return { outcome: 'failed', reason: `the host ${hostname} has no address` }
  for (const { address } of addresses) {
    const refusal = checkAddress(address, privateAllowed)
    if (refusal !== undefined) return { outcome: 'refused', reason: `the host ${hostname} ${refusal}` }
  }
  return { outcome: 'resolved', addresses }
}
