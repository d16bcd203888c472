import { HubError, type JsonObject } from '@synchub/protocol'
import type { AgentResource, ListedResources, ResourceBody } from './definition.js'
import type { ReadContext } from './read-context.js'

/** Most resources on a page. */
const PAGE_SIZE = 50

/** A page of all resources of an agent, one kind after the other. The cursor is ours around that of the kind. */
export async function listResources(
  kinds: readonly AgentResource[],
  cursor: string | undefined,
  ctx: ReadContext,
): Promise<ListedResources> {
  let place = cursor === undefined ? { kind: 0 } : decodeCursor(cursor, kinds.length)
  for (let kind = kinds[place.kind]; kind !== undefined; kind = kinds[place.kind]) {
    const { resources, nextCursor } = await kind.list({ ...place, limit: PAGE_SIZE }, ctx)
    if (nextCursor !== undefined) return { resources, nextCursor: encodeCursor({ ...place, cursor: nextCursor }) }
    place = { kind: place.kind + 1 }
    const isLast = place.kind === kinds.length
    if (resources.length > 0) return { resources, ...(isLast ? {} : { nextCursor: encodeCursor(place) }) }
  }
  return { resources: [] }
}

/** The URI templates of an agent, for resources that have variables. */
export function listTemplates(kinds: readonly AgentResource[]): JsonObject[] {
  return kinds
    .filter(({ pattern }) => pattern.variables.length > 0)
    .map(({ pattern, name, title, description, mimeType }) => ({
      uriTemplate: pattern.text,
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(mimeType === undefined ? {} : { mimeType }),
    }))
}

/** The content of a resource as MCP has it, or undefined where nothing has this URI. */
export async function readResource(
  kinds: readonly AgentResource[],
  uri: string,
  ctx: ReadContext,
): Promise<JsonObject | undefined> {
  for (const kind of kinds) {
    const body = await kind.read(uri, ctx)
    if (body !== undefined) return toContent(uri, kind.mimeType, body)
  }
  return undefined
}

function toContent(uri: string, mimeType: string | undefined, body: ResourceBody): JsonObject {
  const content = typeof body === 'string' ? { text: body } : { blob: Buffer.from(body).toString('base64') }
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), ...content }
}

interface Place {
  readonly kind: number
  readonly cursor?: string
}

function encodeCursor({ kind, cursor }: Place): string {
  return Buffer.from(JSON.stringify(cursor === undefined ? [kind] : [kind, cursor])).toString('base64url')
}

function decodeCursor(text: string, kinds: number): Place {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (cause) {
    throw badCursor(cause)
  }
  if (!Array.isArray(value)) throw badCursor()
  const [kind, cursor]: unknown[] = value
  if (typeof kind !== 'number' || !Number.isInteger(kind) || kind < 0 || kind >= kinds) throw badCursor()
  if (cursor === undefined) return { kind }
  if (typeof cursor !== 'string') throw badCursor()
  return { kind, cursor }
}

function badCursor(cause?: unknown): HubError {
  return new HubError('INVALID_PARAMS', 'the cursor is none that this agent gave', {
    path: 'cursor',
    expected: 'the nextCursor of an earlier page',
    cause,
  })
}
