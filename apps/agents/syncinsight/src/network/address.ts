import ipaddr from 'ipaddr.js'

/** What an address is to a fetch: only `public` ones are reached unless a configuration says otherwise. */
export type AddressClass = 'public' | 'private' | 'forbidden'

/** Clouds serve credentials here to whoever asks from within; these lie outside of link-local (Azure, Amazon over IPv6, Alibaba). */
const METADATA_ADDRESSES = new Set(['168.63.129.16', 'fd00:ec2::254', '100.100.100.200'])
const PRIVATE_RANGES = new Set<string>(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])
/** IANA gives out global unicast addresses only here; all else reaches nothing public, whatever it looks like. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Classifies an IP address in text form, after unwrapping IPv4-mapped IPv6. `private` is what a configuration may allow (loopback,
 * RFC 1918, unique local, carrier-grade NAT); `forbidden` is never reached: link-local with the metadata services on it,
 * multicast, unspecified, and the transition ranges (NAT64, 6to4, Teredo) that hide another address.
 */
export function classifyAddress(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return 'forbidden'
  const parsed = ipaddr.process(address)
  if (METADATA_ADDRESSES.has(parsed.toString())) return 'forbidden'
  const range = parsed.range()
  if (range === 'unicast') return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6) ? 'forbidden' : 'public'
  return PRIVATE_RANGES.has(range) ? 'private' : 'forbidden'
}
