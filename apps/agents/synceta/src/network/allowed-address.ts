import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IANA gives out global addresses only here; all else of IPv6 reaches nothing public, whatever it looks like. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure serves credentials to whoever asks from within, under an address that looks public. */
const METADATA_ADDRESS = '168.63.129.16'

/** Whether a target may stand for `address`: a public one, or one of the ranges (CIDR) that its configuration allows. */
export function isAllowed(address: string, allowedRanges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  // IPv4 in the clothes of IPv6 is IPv4.
  const parsed = ipaddr.process(address)
  const isListed = allowedRanges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
  if (isListed) return true
  if (parsed.range() !== 'unicast' || parsed.toString() === METADATA_ADDRESS) return false
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6)
}

/** Why a target is not reached, as a part of a sentence. */
export function describeRefusal(address: string): string {
  return `the address ${address} is not public and not in allowAddresses`
}

/**
 * The system's look-up of names, which refuses a name that stands for an address that is not allowed: one bad address among good
 * ones refuses it, since whoever controls the name controls which of them is used. The connection goes to what was checked here, so an
 * answer that changes between check and use (DNS rebinding) changes nothing.
 */
export function checkedLookup(allowedRanges: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const refused = addresses.find(({ address }) => !isAllowed(address, allowedRanges))
      const [first] = addresses
      if (refused !== undefined) callback(new Error(describeRefusal(refused.address)), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}
