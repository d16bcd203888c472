/** The oldest server that SyncHub runs on: sharded publish and subscribe and script flags came with Redis 7.0. */
export const OLDEST_REDIS_VERSION = '7.0.0'

/** True when a server of this version, e.g. `7.0.15`, has all that SyncHub asks of it. */
export function isSupportedVersion(version: string): boolean {
  return comparable(version) >= comparable(OLDEST_REDIS_VERSION)
}

function comparable(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1_000 + patch
}
