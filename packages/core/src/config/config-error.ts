/** A configuration that cannot be used: names the file, the place in it and what was expected there. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  /** @param path - `agents.SyncBoot.url`; empty for the whole file */
  constructor(file: string, path: string, expectation: string) {
    super(`${file}: ${path === '' ? 'the file' : path} ${expectation}`)
  }
}
