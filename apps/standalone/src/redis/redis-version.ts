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
