import { describe, expect, test } from '@jest/globals'
import { parsePackageVersion, parseServerVersion } from '../../src/redis/redis-version.js'

describe('the version of a Redis', () => {
  test('is read from what redis-server and valkey-server print', () => {
    expect(parseServerVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64')).toBe('7.0.15')
    expect(parseServerVersion('Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64')).toBe('8.1.1')
  })

  test('is not read from the output of another program', () => {
    expect(parseServerVersion('redis-cli 7.0.15')).toBeUndefined()
  })

  test('is read from a package version with epoch and revision', () => {
    expect(parsePackageVersion('5:7.0.15-1~deb12u7')).toBe('7.0.15')
    expect(parsePackageVersion('8.1.1+dfsg1-3')).toBe('8.1.1')
    expect(parsePackageVersion('(none)')).toBeUndefined()
  })
})
