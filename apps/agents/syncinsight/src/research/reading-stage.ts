import pLimit from 'p-limit'
import type { Limits } from '../configuration/schema.js'
import type { SourceDefinition } from '../configuration/source-definition.js'
import { counted } from '../language/counting.js'
import type { ResolveHost } from '../network/resolution.js'
import type { Pace } from '../pace/pace.js'
import { withSignsOfLife } from '../pace/signs-of-life.js'
import { readSource } from '../sources/read-source.js'
import { type SourceReading, stateOfReading } from '../sources/reading.js'
import { type ResearchProgress, STAGE_START } from './progress.js'

/** Sources that are read at the same time: a slow page does not hold up the folders. */
const SOURCES_AT_A_TIME = 4
/** Passages that one research holds over all sources; of ordinary text they are 20 MB, of hostile text they bound the memory. */
const MAX_PASSAGES = 20_000

/** Reads all sources of a research. */
export async function readSources(
  definitions: readonly SourceDefinition[],
  parts: { readonly limits: Limits; readonly resolveHost: ResolveHost },
  pace: Pace,
  progress: ResearchProgress,
): Promise<SourceReading[]> {
  const files = pLimit(parts.limits.maxConcurrentReads)
  const places = pLimit(SOURCES_AT_A_TIME)
  const fractions = definitions.map(() => 0)
  const percent = (): number => {
    const done = fractions.reduce((sum, fraction) => sum + fraction, 0) / definitions.length
    return STAGE_START.reading + done * (STAGE_START.indexing - STAGE_START.reading)
  }
  const readOne = async (definition: SourceDefinition, place: number): Promise<SourceReading> => {
    pace.signal.throwIfAborted()
    progress.step(percent(), `Reading ${definition.name} (${definition.kind})`)
    const reading = await readSource(definition, {
      ...parts,
      budgetBytes: Math.floor(parts.limits.maxTotalBytes / definitions.length),
      maxPassages: Math.floor(MAX_PASSAGES / definitions.length),
      pace,
      schedule: async (task) => files(task),
      onProgress: (fraction) => {
        fractions[place] = fraction
        progress.advance(percent(), `Reading ${definition.name}: ${Math.round(fraction * 100)} %`)
      },
    })
    fractions[place] = 1
    progress.step(percent(), describeReading(reading))
    return reading
  }
  const all = Promise.all(definitions.map(async (definition, place) => places(async () => readOne(definition, place))))
  return withSignsOfLife(all, () => progress.stillAt(STAGE_START.indexing, 'Still reading'))
}

function describeReading(reading: SourceReading): string {
  const { definition, documentCount, passages, unread } = reading
  if (stateOfReading(reading) === 'unreadable') return `Could not read ${definition.name}`
  const skipped = unread.count === 0 ? '' : `, ${unread.count} not read`
  return `Read ${definition.name}: ${counted(documentCount, 'document')}, ${counted(passages.length, 'passage')}${skipped}`
}
