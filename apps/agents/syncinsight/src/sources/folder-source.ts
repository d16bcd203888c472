import { realpath, stat } from 'node:fs/promises'
import type { FolderDefinition } from '../configuration/source-definition.js'
import type { SourceDocument } from '../documents/document.js'
import { type FileReading, readDocument } from './file-source.js'
import { type ListedFile, listFolder } from './folder-listing.js'
import { describeFileError } from './guarded-file.js'
import { type ReadingContext, type SourceReading, takeApart } from './reading.js'
import { UnreadList } from './unread.js'

/** Of the entries of a folder many are not selected, and looking at them costs little. */
const ENTRIES_PER_FILE = 20
/** Share of a folder's progress that reading its files is; the rest is taking them apart. */
const READING_SHARE = 0.5

/** Reads the files below a folder that its patterns select. */
export async function readFolderSource(definition: FolderDefinition, context: ReadingContext): Promise<SourceReading> {
  const unread = new UnreadList()
  const root = await rootOf(definition, unread)
  if (root === undefined) return { definition, passages: [], documentCount: 0, unread }
  const { maxFilesPerSource: maxFiles } = context.limits
  const listing = { maxFiles, maxEntries: maxFiles * ENTRIES_PER_FILE }
  const listed = await listFolder(definition, root, listing, unread, context.pace.signal)
  const files = withinBudget(definition, listed, context, unread)
  const readings = await readAll(definition, root, files, context)
  const documents: SourceDocument[] = []
  for (const [index, reading] of readings.entries()) {
    const path = files[index]?.path ?? ''
    if (reading.outcome === 'read') documents.push(reading.document)
    else unread.add({ source: definition.name, path, cause: reading.cause, reason: reading.reason })
  }
  const passages = await takeApart(definition.name, documents, context, unread, (count) => {
    context.onProgress(READING_SHARE + (1 - READING_SHARE) * (count / documents.length))
  })
  return { definition, passages, documentCount: documents.length, unread }
}

/** The folder's own path may lead through links: the operator wrote it. Everything below is held to where it really is. */
async function rootOf(definition: FolderDefinition, unread: UnreadList): Promise<string | undefined> {
  try {
    const root = await realpath(definition.path)
    if ((await stat(root)).isDirectory()) return root
    unread.add({ source: definition.name, cause: 'failed', reason: 'is no folder' })
  } catch (error) {
    unread.add({ source: definition.name, cause: 'failed', reason: describeFileError(error) })
  }
  return undefined
}

/** Chosen by listed size and in the order of paths before anything is read, so that the choice is the same each time. */
function withinBudget(
  definition: FolderDefinition,
  files: readonly ListedFile[],
  { budgetBytes, limits }: ReadingContext,
  unread: UnreadList,
): ListedFile[] {
  let usedBytes = 0
  const chosen: ListedFile[] = []
  for (const file of files) {
    const isTooLarge = file.sizeBytes > limits.maxFileBytes
    if (!isTooLarge && usedBytes + file.sizeBytes > budgetBytes) {
      const reason = `left out: this source's share of ${budgetBytes} bytes is used up (limits.maxTotalBytes)`
      unread.add({ source: definition.name, path: file.path, cause: 'limit', reason })
      continue
    }
    // One that is too large is refused when it is opened and costs nothing.
    if (!isTooLarge) usedBytes += file.sizeBytes
    chosen.push(file)
  }
  return chosen
}

async function readAll(
  definition: FolderDefinition,
  root: string,
  files: readonly ListedFile[],
  context: ReadingContext,
): Promise<FileReading[]> {
  let done = 0
  const read = async ({ path }: ListedFile): Promise<FileReading> => {
    const reading = await readDocument(definition.name, root, path, context)
    done += 1
    context.onProgress(READING_SHARE * (done / files.length))
    return reading
  }
  return Promise.all(files.map(read))
}
