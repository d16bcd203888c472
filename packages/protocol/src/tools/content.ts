/** Text for the model or a person. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

/** A resource that the result brings along (MCP `EmbeddedResource`): text or base64 `blob`. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }
}

/** Kinds that the hub passes on as they are: image, audio, resource_link and what later revisions add. */
export interface OpaqueContent {
  readonly type: string
  readonly [member: string]: unknown
}

/** One item of `result.content` (S0.3). */
export type ContentItem = TextContent | EmbeddedResource | OpaqueContent
