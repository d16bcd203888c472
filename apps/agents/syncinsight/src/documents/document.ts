import type { Block, DocumentFormat } from './block.js'
import { parseDocComments } from './doc-comments.js'
import { parseHtml } from './html.js'
import { parseMarkdown } from './markdown.js'
import { parsePlainText } from './plain-text.js'

/** Where a document was read. */
export interface DocumentOrigin {
  /** Name of the source in the configuration. */
  readonly source: string
  /** Path below the source's folder, or a URL without credentials: what a citation shows. */
  readonly path: string
  /** The same for two sources exactly when both read the same thing: its real path or its final URL. */
  readonly identity: string
}

/** A document as text. */
export interface SourceDocument {
  readonly origin: DocumentOrigin
  readonly format: DocumentFormat
  readonly text: string
}

const FORMAT_OF_EXTENSION: Readonly<Record<string, DocumentFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  ts: 'source-code',
  tsx: 'source-code',
  mts: 'source-code',
  js: 'source-code',
  jsx: 'source-code',
  mjs: 'source-code',
  java: 'source-code',
  kt: 'source-code',
  c: 'source-code',
  h: 'source-code',
  cpp: 'source-code',
  php: 'source-code',
  scala: 'source-code',
}

/** The format that a file's name promises; plain text where it promises none. */
export function formatOfPath(path: string): DocumentFormat {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  return (extension === undefined ? undefined : FORMAT_OF_EXTENSION[extension]) ?? 'text'
}

/** The blocks of a document, one at a time, so that a reader can pause and stop between two. */
export function blocksOf({ format, text }: SourceDocument): Iterable<Block> {
  switch (format) {
    case 'markdown':
      return parseMarkdown(text)
    case 'html':
      return parseHtml(text)
    case 'source-code':
      return parseDocComments(text)
    case 'text':
      return parsePlainText(text)
  }
}
