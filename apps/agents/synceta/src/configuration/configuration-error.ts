/** A configuration file that cannot be used; the message names the file, the place in it and what was expected. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}
