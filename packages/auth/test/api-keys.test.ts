import { describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import {
  type ApiKeyEntry,
  createKeyAuthenticator,
  hashApiKey,
  LOCAL_PRINCIPAL,
  openAuthenticator,
} from '../src/index.js'

const KEY = 'shk_3q2-7w.~+/=longenough'
const ENTRY: ApiKeyEntry = {
  name: 'verse',
  sha256: hashApiKey(KEY),
  tenant: 'acme',
  subject: 'alice',
  agent: 'SyncVerse',
  scopes: ['tools:call'],
}
const { name: _name, sha256: _sha256, ...PRINCIPAL } = ENTRY

describe('createKeyAuthenticator', () => {
  const other = { ...ENTRY, name: 'boot', sha256: hashApiKey('other'), tenant: 'rival', subject: 'bob' }
  const authenticator = createKeyAuthenticator([ENTRY, other])

  test('gives the principal of the key, and nothing of the key itself', () => {
    expect(authenticator.authenticate(`Bearer ${KEY}`)).toEqual(PRINCIPAL)
    expect(authenticator.authenticate('Bearer other')).toMatchObject({ tenant: 'rival', subject: 'bob' })
  })

  test('takes the name of the scheme in any case (RFC 9110)', () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
      expect(authenticator.authenticate(`${scheme} ${KEY}`)).toEqual(PRINCIPAL)
    }
  })

  test('answers missing, malformed and unknown keys alike, and repeats nothing of them', () => {
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      KEY,
      `Basic ${KEY}`,
      `Bearer${KEY}`,
      `Bearer  ${KEY}`,
      ` Bearer ${KEY}`,
      `Bearer ${KEY} `,
      `Bearer ${KEY}\n`,
      `Bearer ${KEY}, Bearer other`,
      `Bearer ${KEY.toUpperCase()}`,
      `Bearer ${KEY.slice(0, -1)}`,
      `Bearer ${ENTRY.sha256}`,
      `Bearer ${'x'.repeat(100_000)}`,
      'Bearer 한글',
      'Bearer __proto__',
    ]
    const answers = headers.map((header) => {
      try {
        return authenticator.authenticate(header)
      } catch (thrown) {
        return thrown instanceof HubError ? [thrown.code, thrown.message, thrown.details] : thrown
      }
    })
    const refusal = ['UNAUTHENTICATED', 'Unauthenticated: no valid API key was sent', {}]
    expect(answers).toEqual(headers.map(() => refusal))
  })

  test('knows nobody without keys', () => {
    expect(() => createKeyAuthenticator([]).authenticate(`Bearer ${KEY}`)).toThrow('no valid API key')
  })
})

describe('hashApiKey', () => {
  test('is the SHA-256 of the key, in hex', () => {
    expect(hashApiKey('key')).toBe('2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683')
  })
})

describe('openAuthenticator', () => {
  test('takes everybody for the one local principal, whatever they send', () => {
    for (const header of [undefined, '', `Bearer ${KEY}`]) {
      expect(openAuthenticator.authenticate(header)).toBe(LOCAL_PRINCIPAL)
    }
  })
})
