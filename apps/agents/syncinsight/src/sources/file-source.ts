import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileDefinition } from '../configuration/source-definition.js'
import { formatOfPath, type SourceDocument } from '../documents/document.js'
import { describeFileError, readGuardedFile } from './guarded-file.js'
import { type ReadingContext, type SourceReading, takeApart } from './reading.js'
import { decodeText } from './text-decoding.js'
import { type UnreadCause, UnreadList } from './unread.js'

/** Reads the one file of a source. */
export async function readFileSource(definition: FileDefinition, context: ReadingContext): Promise<SourceReading> {
  const { name } = definition
  const unread = new UnreadList()
  const read = await readNamedFile(definition, context)
  context.onProgress(1)
  if (read.outcome === 'not_read') {
    // The source is this one file, so what a folder may pass over by design leaves nothing here.
    unread.add({ source: name, cause: 'refused', reason: read.reason })
    return { definition, passages: [], documentCount: 0, unread }
  }
  const passages = await takeApart(name, [read.document], context, unread)
  return { definition, passages, documentCount: 1, unread }
}

/** What became of one file. */
export type FileReading =
  | { readonly outcome: 'read'; readonly document: SourceDocument }
  | { readonly outcome: 'not_read'; readonly cause: UnreadCause; readonly reason: string }

/** Reads and decodes one file below `root`, once there is a place for it. */
export async function readDocument(
  source: string,
  root: string,
  path: string,
  { pace, limits, budgetBytes, schedule }: ReadingContext,
): Promise<FileReading> {
  return schedule(async () => {
    pace.signal.throwIfAborted()
    const read = await readGuardedFile(root, path, Math.min(limits.maxFileBytes, budgetBytes))
    if (read.outcome === 'not_read') return read
    const decoded = decodeText(read.bytes)
    if (decoded.outcome === 'not_text') return { outcome: 'not_read', cause: 'not_text', reason: decoded.reason }
    const origin = { source, path, identity: read.realPath }
    return { outcome: 'read', document: { origin, format: formatOfPath(path), text: decoded.text } }
  })
}

async function readNamedFile({ name, path }: FileDefinition, context: ReadingContext): Promise<FileReading> {
  let root: string
  try {
    root = await realpath(dirname(path))
  } catch (error) {
    return { outcome: 'not_read', cause: 'failed', reason: describeFileError(error) }
  }
  return readDocument(name, root, basename(path), context)
}
