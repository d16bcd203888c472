import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { classifyAddress } from '../../src/network/address.js'

describe('classifyAddress', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['2001:4860:4860::8888', 'public'],
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['::ffff:127.0.0.1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:8.8.8.8', 'public'],
    ['0.0.0.0', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['198.18.0.1', 'forbidden'],
    ['::', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['4000::1', 'forbidden'],
    ['no address', 'forbidden'],
  ])('calls %s %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind)
  })

  test.each([
    ['169.254.169.254', 'the link-local one of most clouds'],
    ['::ffff:169.254.169.254', 'the same, mapped'],
    ['fd00:ec2::254', "Amazon's over IPv6"],
    ['100.100.100.200', "Alibaba's"],
    ['168.63.129.16', "Azure's, in a public range"],
    ['192.0.0.192', "Oracle's"],
  ])('never allows the metadata address %s (%s)', (address) => {
    expect(classifyAddress(address)).toBe('forbidden')
  })

  test.each([
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::7f00:1', 'local NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['::ffff:0:7f00:1', 'translated'],
  ])('sees that %s (%s) hides an address', (address) => {
    expect(classifyAddress(address)).toBe('forbidden')
  })

  test('never calls an address public that is private in its IPv4 form', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const inner = fc.constantFrom('10', '127', '169.254', '192.168', '0')
    fc.assert(
      fc.property(inner, octet, octet, octet, (prefix, a, b, c) => {
        const ipv4 = [...prefix.split('.'), a, b, c].slice(0, 4).join('.')
        expect(classifyAddress(ipv4)).not.toBe('public')
        expect(classifyAddress(`::ffff:${ipv4}`)).not.toBe('public')
        expect(classifyAddress(`::${ipv4}`)).not.toBe('public')
        expect(classifyAddress(`64:ff9b::${ipv4}`)).not.toBe('public')
      }),
    )
  })
})
