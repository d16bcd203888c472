import type { Limits } from '../configuration/schema.js'
import type { SourceDefinition } from '../configuration/source-definition.js'
import type { SourceDocument } from '../documents/document.js'
import { type Passage, passagesOf } from '../documents/passage.js'
import type { ResolveHost } from '../network/resolution.js'
import type { Pace } from '../pace/pace.js'
import type { UnreadList } from './unread.js'

/** What reading a source came to. */
export interface SourceReading {
  readonly definition: SourceDefinition
  readonly passages: readonly Passage[]
  readonly documentCount: number
  readonly unread: UnreadList
}

/** How far a source is `unreadable`: nothing of it was read, though something should have been. */
export type ReadingState = 'read' | 'read_in_part' | 'unreadable'

/** The state of a source after reading; an empty folder has been read. */
export function stateOfReading({ documentCount, unread }: SourceReading): ReadingState {
  if (!unread.hasGap) return 'read'
  return documentCount === 0 ? 'unreadable' : 'read_in_part'
}

/** What a reader of sources is given. */
export interface ReadingContext {
  readonly limits: Limits
  /** This source's share of `limits.maxTotalBytes`. */
  readonly budgetBytes: number
  /** This source's share of the passages that a research holds. */
  readonly maxPassages: number
  readonly resolveHost: ResolveHost
  readonly pace: Pace
  /** Runs a task once a place for it is free: files are read at most so many at a time, over all sources. */
  readonly schedule: <T>(task: () => Promise<T>) => Promise<T>
  /** Tells how far the source is, from 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** Takes documents apart into passages, in their order and with pauses; what is beyond the bound goes into `unread`. */
export async function takeApart(
  source: string,
  documents: readonly SourceDocument[],
  { pace, maxPassages }: ReadingContext,
  unread: UnreadList,
  onDocument: (count: number) => void = () => undefined,
): Promise<Passage[]> {
  const passages: Passage[] = []
  for (const [index, document] of documents.entries()) {
    for (const passage of passagesOf(document)) {
      await pace.breathe()
      if (passages.length === maxPassages) {
        const reason = `the rest was left out: there are more than ${maxPassages} passages`
        unread.add({ source, path: document.origin.path, cause: 'limit', reason })
        return passages
      }
      passages.push(passage)
    }
    onDocument(index + 1)
  }
  return passages
}
