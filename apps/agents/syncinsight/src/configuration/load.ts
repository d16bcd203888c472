import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { z } from 'zod'
import { checkTarget } from '../network/target.js'
import { type ConfigurationFile, configurationSchema, type Limits, type SummarySettings } from './schema.js'
import type { SourceDefinition } from './source-definition.js'

/** SyncInsight's configuration, checked and with paths made absolute. */
export interface Configuration {
  /** By name, in the order of the file. */
  readonly sources: ReadonlyMap<string, SourceDefinition>
  readonly limits: Limits
  readonly summary?: SummarySettings
}

/** A configuration file that cannot be used; the message names the file, the place in it and what was expected. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/**
 * Reads the configuration file at `path`. Relative paths in it start at the file's own folder.
 * @throws ConfigurationError when it is missing, not JSON or does not keep its schema
 */
export async function loadConfiguration(path: string): Promise<Configuration> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${path} cannot be read: set SYNCINSIGHT_CONFIG to a readable file`, { cause })
  })
  return parseConfiguration(text, path)
}

/**
 * Checks the text of a configuration file; `path` names it in errors and is where relative paths start.
 * @throws ConfigurationError when it is not JSON or does not keep its schema
 */
export function parseConfiguration(text: string, path: string): Configuration {
  const result = configurationSchema.safeParse(parseJson(text, path))
  if (!result.success)
    throw new ConfigurationError(result.error.issues.map((issue) => describe(issue, path)).join('; '))
  const { sources, limits, summary } = result.data
  if (summary !== undefined) checkSummaryEndpoint(summary, path)
  return {
    sources: new Map(Object.entries(sources).map(([name, source]) => [name, define(name, source, path)])),
    limits,
    ...(summary === undefined ? {} : { summary }),
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigurationError(`${path} is not JSON: ${(cause as SyntaxError).message}`, { cause })
  }
}

function describe(issue: z.core.$ZodIssue, path: string): string {
  const place = issue.path.length === 0 ? 'the top level' : issue.path.map(String).join('.')
  return `${path}: ${place}: ${issue.message}`
}

function define(name: string, source: ConfigurationFile['sources'][string], file: string): SourceDefinition {
  const description = source.description === undefined ? {} : { description: source.description }
  if (source.kind === 'url') return { kind: 'url', name, ...description, ...checkedUrl(name, source, file) }
  const path = resolve(dirname(file), source.path)
  if (source.kind === 'file') return { kind: 'file', name, ...description, path }
  return { kind: 'folder', name, ...description, path, include: source.include, exclude: source.exclude }
}

function checkedUrl(name: string, source: { url: string; allowPrivate: boolean }, file: string) {
  const place = `${file}: sources.${name}.url`
  const url = parseUrl(source.url, place)
  const refusal = checkTarget(url, { url, allowPrivate: source.allowPrivate })
  if (refusal !== undefined) throw new ConfigurationError(`${place}: ${refusal}`)
  return { url, allowPrivate: source.allowPrivate }
}

/** An API key never crosses a network in the clear. */
function checkSummaryEndpoint(summary: SummarySettings, file: string): void {
  const place = `${file}: summary.endpoint`
  const url = parseUrl(summary.endpoint, place)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ConfigurationError(`${place}: must be an http or https URL`)
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      `${place}: must hold no credentials; name an environment variable in summary.apiKeyEnv`,
    )
  }
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.')
  if (url.protocol === 'http:' && summary.apiKeyEnv !== undefined && !isLoopback) {
    throw new ConfigurationError(`${place}: must be an https URL, since summary.apiKeyEnv would be sent in the clear`)
  }
}

function parseUrl(text: string, place: string): URL {
  if (!URL.canParse(text)) throw new ConfigurationError(`${place}: must be a URL`)
  return new URL(text)
}
