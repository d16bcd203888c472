import type { JsonObject } from '@synchub/protocol'
import type { Completer, Completers } from '../completion/completer.js'
import type { ReadContext } from './read-context.js'
import { UriPattern, type VariableNames } from './uri.js'

/** What a resource holds: text, or bytes. */
export type ResourceBody = string | Uint8Array

/** One resource in a list. */
export interface ResourceEntry<Name extends string = string> {
  /** Values of the variables of the URI. */
  readonly variables: Readonly<Record<Name, string>>
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly sizeBytes?: number
  readonly modifiedAt?: Date
}

/** A page of a list. */
export interface ResourcePage<Name extends string = string> {
  readonly entries: readonly ResourceEntry<Name>[]
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string
}

/** The page that is asked for. */
export interface PageRequest {
  /** What the page before gave as `nextCursor`; absent for the first. It comes from outside: check it. */
  readonly cursor?: string
  /** Most entries of a page. */
  readonly limit: number
}

/** What the author of resources writes down. */
export interface ResourceOptions<Uri extends string> {
  /** e.g. `report://syncinsight/{reportId}`; without variables it is one resource. */
  readonly uri: Uri
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** The resources that there are; absent where they cannot be listed. Throw a ToolError INVALID_PARAMS for a bad cursor. */
  readonly list?: (
    page: PageRequest,
    ctx: ReadContext,
  ) => Promise<ResourcePage<VariableNames<Uri>>> | ResourcePage<VariableNames<Uri>>
  /** Suggest values of variables while somebody types; none where it is absent. */
  readonly complete?: Readonly<Partial<Record<VariableNames<Uri>, Completer>>>
  /** The resource, or undefined where there is none. The values hold no slash and do not climb; they still come from outside. */
  readonly read: (
    variables: Readonly<Record<VariableNames<Uri>, string>>,
    ctx: ReadContext,
  ) => Promise<ResourceBody | undefined> | ResourceBody | undefined
}

/** A page of `resources/list` as MCP has it. */
export interface ListedResources {
  readonly resources: readonly JsonObject[]
  readonly nextCursor?: string
}

/** Resources that are ready to be served; {@link defineResource} makes them. */
export interface AgentResource {
  readonly pattern: UriPattern
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly completers: Completers
  list(page: PageRequest, ctx: ReadContext): Promise<ListedResources>
  /** Undefined where the URI is not one of these, or names nothing. */
  read(uri: string, ctx: ReadContext): Promise<ResourceBody | undefined>
}

/**
 * Makes resources of a URI and functions that list and read them (S3.1).
 * @throws Error when the URI is not valid
 */
export function defineResource<const Uri extends string>(options: ResourceOptions<Uri>): AgentResource {
  const { name, title, description, mimeType } = options
  const pattern = new UriPattern(options.uri)
  const common = {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  }
  return {
    pattern,
    ...common,
    completers: { ...options.complete },
    async list(page, ctx) {
      if (pattern.variables.length === 0) return { resources: [{ uri: pattern.text, ...common }] }
      if (options.list === undefined) return { resources: [] }
      const { entries, nextCursor } = await options.list(page, ctx)
      const resources = entries.map((entry) => toListing(pattern, mimeType, entry))
      return { resources, ...(nextCursor === undefined ? {} : { nextCursor }) }
    },
    async read(uri, ctx) {
      const variables = pattern.match(uri)
      return variables === undefined ? undefined : options.read(variables, ctx)
    },
  }
}

function toListing(pattern: UriPattern, mimeType: string | undefined, entry: ResourceEntry): JsonObject {
  const { name, title, description, sizeBytes, modifiedAt } = entry
  return {
    uri: pattern.expand(entry.variables),
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
    ...(modifiedAt === undefined ? {} : { annotations: { lastModified: modifiedAt.toISOString() } }),
  }
}
