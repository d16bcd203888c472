import type { SourceDefinition } from '../configuration/source-definition.js'
import { readFileSource } from './file-source.js'
import { readFolderSource } from './folder-source.js'
import type { ReadingContext, SourceReading } from './reading.js'
import { readUrlSource } from './url-source.js'

/**
 * Reads a source. What cannot be read is part of the answer, never a throw.
 * @throws the signal's reason when the research is cancelled
 */
export async function readSource(definition: SourceDefinition, context: ReadingContext): Promise<SourceReading> {
  switch (definition.kind) {
    case 'folder':
      return readFolderSource(definition, context)
    case 'file':
      return readFileSource(definition, context)
    case 'url':
      return readUrlSource(definition, context)
  }
}
