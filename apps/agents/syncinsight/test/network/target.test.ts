import { describe, expect, test } from '@jest/globals'
import { checkTarget, isPrivateAllowed } from '../../src/network/target.js'

const rules = { url: new URL('https://docs.test/a'), allowPrivate: false }
const local = { url: new URL('http://127.0.0.1:8080/'), allowPrivate: true }

describe('checkTarget', () => {
  test.each(['https://docs.test/a', 'https://other.test/', 'https://other.test:443/', 'https://8.8.8.8/'])(
    'lets %s pass',
    (url) => {
      expect(checkTarget(new URL(url), rules)).toBeUndefined()
    },
  )

  test.each([
    ['file:///etc/passwd', 'http or https'],
    ['ftp://docs.test/', 'http or https'],
    ['data:text/html,x', 'http or https'],
    ['http://docs.test/', 'fall back'],
    ['https://user:pass@docs.test/', 'credentials'],
    ['https://user@docs.test/', 'credentials'],
    ['https://other.test:6379/', 'port 6379'],
    ['https://docs.test:8443/', 'port 8443'],
    ['https://127.0.0.1/', '127.0.0.1'],
    ['https://[::1]/', '::1'],
    ['https://[::ffff:7f00:1]/', '::ffff:7f00:1'],
    ['https://169.254.169.254/latest/meta-data/', '169.254.169.254'],
  ])('refuses %s', (url, reason) => {
    expect(checkTarget(new URL(url), rules)).toContain(reason)
  })

  test.each(['https://0x7f.1/', 'https://2130706433/', 'https://0177.0.0.1/', 'https://127.1/', 'https://①②⑦.0.0.1/'])(
    'knows loopback when it is written as %s',
    (url) => {
      expect(checkTarget(new URL(url), rules)).toContain('127.0.0.1')
    },
  )

  test('allows a private address for the configured host and port only', () => {
    expect(checkTarget(new URL('http://127.0.0.1:8080/b'), local)).toBeUndefined()
    expect(checkTarget(new URL('http://127.0.0.1:80/'), local)).toContain('127.0.0.1')
    expect(checkTarget(new URL('http://127.0.0.2:8080/'), local)).toContain('port 8080')
    expect(isPrivateAllowed(new URL('http://10.0.0.1/'), local)).toBe(false)
  })

  test('never allows a metadata address, not even when the configuration names it', () => {
    const url = new URL('http://169.254.169.254/')
    expect(checkTarget(url, { url, allowPrivate: true })).toContain('169.254.169.254')
  })
})
