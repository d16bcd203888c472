/** A folder whose matching files are read. */
export interface FolderDefinition {
  readonly kind: 'folder'
  readonly name: string
  readonly description?: string
  /** Absolute path. */
  readonly path: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** One file. */
export interface FileDefinition {
  readonly kind: 'file'
  readonly name: string
  readonly description?: string
  /** Absolute path. */
  readonly path: string
}

/** One page on the network. */
export interface UrlDefinition {
  readonly kind: 'url'
  readonly name: string
  readonly description?: string
  readonly url: URL
  /** Whether the host of `url`, and no other, may be a loopback or private address. */
  readonly allowPrivate: boolean
}

/** A source that callers may name; only the configuration file makes one (invariant 13). */
export type SourceDefinition = FolderDefinition | FileDefinition | UrlDefinition
