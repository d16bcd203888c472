import { dirname, resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.js'
import type { CommandDefinition, FixturesDefinition, SuiteDefinition, TargetDefinition } from './definition.js'
import type { ConfigurationFile } from './schema.js'

/** The environment, for the variables that a configuration names. */
export type Variables = Readonly<Record<string, string | undefined>>

type TargetEntry = ConfigurationFile['targets'][string]
type SuiteEntry = ConfigurationFile['suites'][string]
type Defined = { readonly target: TargetDefinition; readonly secrets: readonly string[] }

/**
 * Makes the suites of a checked configuration: variables are filled in, paths made absolute, and every name that one part has for
 * another is looked up.
 * @param file - the configuration's own path
 * @throws ConfigurationError naming the place
 */
export function defineSuites(
  { targets, suites }: ConfigurationFile,
  file: string,
  variables: Variables,
): Map<string, SuiteDefinition> {
  const defined = new Map(
    Object.entries(targets).map(([name, entry]) => [name, defineTarget(name, entry, file, variables)]),
  )
  return new Map(
    Object.entries(suites).map(([name, entry]) => [
      name,
      entry.kind === 'fixtures'
        ? defineFixtures(name, entry, file, defined)
        : defineCommand(name, entry, file, variables),
    ]),
  )
}

function defineTarget(name: string, entry: TargetEntry, file: string, variables: Variables): Defined {
  const place = `${file}: targets.${name}`
  const secrets: string[] = []
  const headers: Record<string, string> = {}
  for (const [header, value] of Object.entries(entry.headers)) {
    if (typeof value === 'string') {
      headers[header] = value
      continue
    }
    const secret = read(variables, value.env)
    if (secret === undefined && !value.optional)
      throw new ConfigurationError(
        `${place}.headers.${header}: ${value.env} is not set: set it, or say "optional": true`,
      )
    if (secret === undefined) continue
    headers[header] = value.prefix + secret
    secrets.push(secret)
  }
  const url = readUrl(entry.url, `${place}.url`, variables)
  return { target: { name, url, headers, allowAddresses: entry.allowAddresses }, secrets }
}

function readUrl(entry: TargetEntry['url'], place: string, variables: Variables): URL {
  const text = typeof entry === 'string' ? entry : (read(variables, entry.env) ?? entry.default)
  const source = typeof entry === 'string' ? place : `${place} (${entry.env})`
  if (text === undefined) throw new ConfigurationError(`${source}: is not set and has no default`)
  if (!URL.canParse(text)) throw new ConfigurationError(`${source}: must be a URL`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ConfigurationError(`${source}: must be an http or https URL`)
  if (url.username !== '' || url.password !== '')
    throw new ConfigurationError(`${source}: must hold no credentials; name an environment variable in headers`)
  if (url.search !== '' || url.hash !== '') throw new ConfigurationError(`${source}: must end with its path`)
  return url
}

function defineFixtures(
  name: string,
  entry: SuiteEntry & { kind: 'fixtures' },
  file: string,
  targets: ReadonlyMap<string, Defined>,
): FixturesDefinition {
  const { folder, target: targetName, description, ...rest } = entry
  const defined = targets.get(targetName)
  if (defined === undefined) {
    const known = [...targets.keys()].join(', ') || 'none'
    throw new ConfigurationError(`${file}: suites.${name}.target: must be one of the targets, which are: ${known}`)
  }
  return { ...rest, ...defined, ...described(description), name, folder: resolve(dirname(file), folder) }
}

function defineCommand(
  name: string,
  entry: SuiteEntry & { kind: 'command' },
  file: string,
  variables: Variables,
): CommandDefinition {
  const { kind, command, output, timeoutMs, failFastArguments } = entry
  const { pass, secrets, set } = entry.environment
  const present = (names: readonly string[]) =>
    names.flatMap((variable) => {
      const value = read(variables, variable)
      return value === undefined ? [] : [[variable, value] as const]
    })
  const secretValues = present(secrets)
  return {
    kind,
    name,
    command,
    output,
    timeoutMs,
    ...described(entry.description),
    ...(failFastArguments === undefined ? {} : { failFastArguments }),
    cwd: resolve(dirname(file), entry.cwd),
    environment: { ...Object.fromEntries([...present(pass), ...secretValues]), ...set },
    filters: new Map(Object.entries(entry.filters)),
    secrets: secretValues.map(([, value]) => value),
  }
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}

/** An empty variable is one that is not set. */
function read(variables: Variables, name: string): string | undefined {
  const value = variables[name]
  return value === '' ? undefined : value
}
