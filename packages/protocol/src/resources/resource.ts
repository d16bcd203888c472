import { optionalMember, requireObject, requireText } from '../json-rpc/answer-shape.js'
import type { JsonObject } from '../json-rpc/frame.js'
import { listedText, MAX_NAME_CHARS } from '../offers/listed-text.js'

/** Longest URI of a resource, and longest template of one, in characters. */
export const MAX_URI_CHARS = 2048

/** What a resource and a template of resources say of themselves. */
interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: JsonObject
}

/** A resource as `resources/list` shows it (MCP `Resource`). */
export interface Resource extends Described {
  readonly uri: string
  /** In bytes. */
  readonly size?: number
}

/** Resources whose URI has variables, as `resources/templates/list` shows them (MCP `ResourceTemplate`). */
export interface ResourceTemplate extends Described {
  /** RFC 6570. */
  readonly uriTemplate: string
}

/** Checks one entry of `resources/list`; only what the hub knows is taken over. @throws AnswerShapeError */
export function parseResource(value: unknown): Resource {
  const listed = requireObject(value, 'resource')
  const { size } = listed
  return {
    uri: requireText(listed.uri, 'uri', MAX_URI_CHARS),
    ...parseDescription(listed),
    // A size is a hint, and no reason to refuse what is readable.
    ...(typeof size === 'number' && Number.isFinite(size) ? { size } : {}),
  }
}

/** Checks one entry of `resources/templates/list`; only what the hub knows is taken over. @throws AnswerShapeError */
export function parseResourceTemplate(value: unknown): ResourceTemplate {
  const listed = requireObject(value, 'resourceTemplate')
  return { uriTemplate: requireText(listed.uriTemplate, 'uriTemplate', MAX_URI_CHARS), ...parseDescription(listed) }
}

function parseDescription(listed: JsonObject): Described {
  return {
    name: requireText(listed.name, 'name', MAX_NAME_CHARS),
    ...optionalMember(listed, 'title', listedText),
    ...optionalMember(listed, 'description', listedText),
    ...optionalMember(listed, 'mimeType', listedText),
    ...optionalMember(listed, 'annotations', requireObject),
  }
}
