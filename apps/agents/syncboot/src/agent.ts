import { join } from 'node:path'
import { type Agent, defineAgent } from '@synchub/agent-sdk'
import { openCatalogue } from './catalogue/catalogue.js'
import { schemaResources } from './resources/domain-schemas.js'
import { generateSchemaTool } from './tools/generate-schema.js'

/** What SyncBoot is made of. */
export interface SyncBootOptions {
  /** Folder for what the agent keeps; the catalogue of schemas lies in `catalogue` below it. One agent, one folder. */
  readonly dataDir: string
}

/**
 * Makes the agent SyncBoot, ready to be served by the SDK.
 * @throws CatalogueFailure in one sentence, when the folder cannot be written to
 */
export async function createSyncBoot({ dataDir }: SyncBootOptions): Promise<Agent> {
  const catalogue = await openCatalogue(join(dataDir, 'catalogue'))
  return defineAgent({
    name: 'SyncBoot',
    version: '0.1.0',
    tools: [generateSchemaTool(catalogue)],
    resources: schemaResources(catalogue),
  })
}
