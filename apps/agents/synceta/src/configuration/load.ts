import { readFile } from 'node:fs/promises'
import { ConfigurationError } from './configuration-error.js'
import type { SuiteDefinition } from './definition.js'
import { describeIssue } from './issue.js'
import { defineSuites, type Variables } from './resolution.js'
import { configurationSchema, type Limits } from './schema.js'

/** SyncETA's configuration, checked, with paths made absolute and variables filled in. */
export interface Configuration {
  /** By name, in the order of the file. */
  readonly suites: ReadonlyMap<string, SuiteDefinition>
  readonly limits: Limits
}

/**
 * Reads the configuration file at `path`. Relative paths in it start at the file's own folder.
 * @throws ConfigurationError when it is missing, not JSON, does not keep its schema or names what is not there
 */
export async function loadConfiguration(path: string, variables: Variables): Promise<Configuration> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${path} cannot be read: set SYNCETA_CONFIG to a readable file`, { cause })
  })
  return parseConfiguration(text, path, variables)
}

/**
 * Checks the text of a configuration file; `path` names it in errors and is where relative paths start.
 * @throws ConfigurationError when it is not JSON, does not keep its schema or names what is not there
 */
export function parseConfiguration(text: string, path: string, variables: Variables): Configuration {
  const checked = configurationSchema.safeParse(parseJson(text, path))
  if (!checked.success)
    throw new ConfigurationError(checked.error.issues.map((issue) => `${path}: ${describeIssue(issue)}`).join('; '))
  return { suites: defineSuites(checked.data, path, variables), limits: checked.data.limits }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigurationError(`${path} is not JSON: ${(cause as SyntaxError).message}`, { cause })
  }
}
