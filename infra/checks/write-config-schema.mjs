// `npm run schema`: publishes the schema of synchub.config.json for editors, from the one that the hub itself checks by.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIG_SCHEMA } from '../../packages/core/dist/index.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = join('infra', 'synchub.schema.json')

writeFileSync(join(root, file), JSON.stringify(CONFIG_SCHEMA))
const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
execFileSync(process.execPath, [biome, 'format', '--config-path=infra/checks/format.json', '--write', file], {
  cwd: root,
})
