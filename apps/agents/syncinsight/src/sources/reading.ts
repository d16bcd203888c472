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
  readonly resolveHost: ResolveHost
  readonly pace: Pace
  /** Runs a task once a place for it is free: files are read at most so many at a time, over all sources. */
  readonly schedule: <T>(task: () => Promise<T>) => Promise<T>
  /** Tells how far the source is, from 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

/** Takes a document apart into passages, with pauses. */
export async function takeApart(document: SourceDocument, pace: Pace): Promise<Passage[]> {
  const passages: Passage[] = []
  for (const passage of passagesOf(document)) {
    passages.push(passage)
    await pace.breathe()
  }
  return passages
}
