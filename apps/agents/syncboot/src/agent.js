import { join } from 'node:path';
import { defineAgent } from '@synchub/agent-sdk';
import { openCatalogue } from './catalogue/catalogue.js';
import { generateSchemaTool } from './tools/generate-schema.js';
/**
 * Makes the agent SyncBoot, ready to be served by the SDK.
 * @throws CatalogueFailure in one sentence, when the folder cannot be written to
 */
export async function createSyncBoot({ dataDir }) {
    const catalogue = await openCatalogue(join(dataDir, 'catalogue'));
    return defineAgent({ name: 'SyncBoot', version: '0.1.0', tools: [generateSchemaTool(catalogue)] });
}
