import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileDefinition } from '../configuration/source-definition.js'
import { formatOfPath } from '../documents/document.js'
import type { Passage } from '../documents/passage.js'
import { describeFileError, readGuardedFile } from './guarded-file.js'
import { type ReadingContext, type SourceReading, takeApart } from './reading.js'
import { decodeText } from './text-decoding.js'
import { type UnreadCause, UnreadList } from './unread.js'

/** Reads the one file of a source. */
export async function readFileSource(definition: FileDefinition, context: ReadingContext): Promise<SourceReading> {
  const unread = new UnreadList()
  const pass = (cause: UnreadCause, reason: string): SourceReading => {
    unread.add({ source: definition.name, cause, reason })
    return { definition, passages: [], documentCount: 0, unread }
  }
  let root: string
  try {
    root = await realpath(dirname(definition.path))
  } catch (error) {
    return pass('failed', describeFileError(error))
  }
  const path = basename(definition.path)
  const read = await context.schedule(async () => readOne(definition.name, root, path, context))
  context.onProgress(1)
  if (read.outcome === 'read') return { definition, passages: read.passages, documentCount: 1, unread }
  // The source is this one file, so what a folder may pass over leaves nothing here.
  return pass('refused', read.reason)
}

/** What became of one file. */
export type FileReading =
  | { readonly outcome: 'read'; readonly passages: readonly Passage[] }
  | { readonly outcome: 'not_read'; readonly cause: UnreadCause; readonly reason: string }

/** Reads, decodes and takes apart one file below `root`. */
export async function readOne(
  source: string,
  root: string,
  path: string,
  context: ReadingContext,
): Promise<FileReading> {
  const { pace, limits, budgetBytes } = context
  pace.signal.throwIfAborted()
  const read = await readGuardedFile(root, path, Math.min(limits.maxFileBytes, budgetBytes))
  if (read.outcome === 'not_read') return read
  const decoded = decodeText(read.bytes)
  if (decoded.outcome === 'not_text') return { outcome: 'not_read', cause: 'not_text', reason: decoded.reason }
  const origin = { source, path, identity: read.realPath }
  return {
    outcome: 'read',
    passages: await takeApart({ origin, format: formatOfPath(path), text: decoded.text }, pace),
  }
}
