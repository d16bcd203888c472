import { describe, expect, test } from '@jest/globals'
import { checkedLookup, isAllowed } from '../../src/network/allowed-address.js'

describe('an address', () => {
  test.each(['1.1.1.1', '203.0.114.1', '2606:4700::1111', '::ffff:1.1.1.1'])(
    'that is public, %s, is allowed',
    (address) => {
      expect(isAllowed(address, [])).toBe(true)
    },
  )

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '4000::1',
    'localhost',
  ])('that is not, %s, is allowed only where its range is listed', (address) => {
    expect(isAllowed(address, [])).toBe(false)
    expect(isAllowed(address, ['198.51.100.0/24', '2001:db8::/32'])).toBe(false)
  })

  test.each([
    ['127.0.0.1', '127.0.0.0/8'],
    ['::ffff:127.0.0.1', '127.0.0.0/8'],
    ['::1', '::1/128'],
    ['10.255.0.1', '10.0.0.0/8'],
    ['fd00::1', 'fc00::/7'],
  ])('in a listed range, %s in %s, is allowed', (address, range) => {
    expect(isAllowed(address, ['192.0.2.0/24', '2001:db8::/32', range])).toBe(true)
  })
})

describe('the look-up of a name', () => {
  const lookUp = (all: boolean, ranges: readonly string[]) =>
    new Promise<unknown>((resolve) => {
      checkedLookup(ranges)('localhost', { all }, (error, found) => resolve(error?.message ?? found))
    })

  test('refuses a name that stands for an address that is not allowed', async () => {
    expect(await lookUp(true, [])).toMatch(/^the address .* is not public and not in allowAddresses$/)
    expect(await lookUp(false, [])).toMatch(/is not public/)
  })

  test('gives the addresses that it has checked, in either form', async () => {
    const ranges = ['127.0.0.0/8', '::1/128']
    expect(await lookUp(true, ranges)).toEqual(
      expect.arrayContaining([{ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), family: expect.any(Number) }]),
    )
    expect(await lookUp(false, ranges)).toMatch(/^(127\.0\.0\.1|::1)$/)
  })
})
