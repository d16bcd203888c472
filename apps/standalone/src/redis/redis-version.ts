/** The oldest server that SyncHub runs on: sharded publish and subscribe and `proc-title-template` came with Redis 7.0. */
export const OLDEST_REDIS_VERSION = '7.0.0'

/**
 * Reads the version out of what `redis-server --version` or `valkey-server --version` prints, e.g.
 * `Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64`. Undefined when it is the output of something else.
 */
export function parseServerVersion(versionOutput: string): string | undefined {
  return /\b(?:Redis|Valkey) server v=(\d+\.\d+\.\d+)/i.exec(versionOutput)?.[1]
}

/**
 * Reads the version out of a Debian package version: `5:7.0.15-1~deb12u7` is 7.0.15. The part before the colon is
 * Debian's epoch, what follows the hyphen is the packaging's own count.
 */
export function parsePackageVersion(packageVersion: string): string | undefined {
  return /^(?:\d+:)?(\d+\.\d+\.\d+)/.exec(packageVersion)?.[1]
}

/** True when a server of this version, e.g. `7.0.15`, has all that SyncHub asks of it. */
export function isSupportedVersion(version: string): boolean {
  return comparable(version) >= comparable(OLDEST_REDIS_VERSION)
}

function comparable(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1_000 + patch
}
