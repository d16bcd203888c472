// `npm run build`: compiles what changed and bundles the dashboard; `npm start` and `npm test` do the same first.
import { fileURLToPath } from 'node:url'
import { buildWorkspaces } from './build-workspaces.mjs'
import { PreparationFailure } from './preparation-failure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

try {
  await buildWorkspaces({ root, signal: new AbortController().signal, say: (line) => console.log(line) })
} catch (error) {
  if (!(error instanceof PreparationFailure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
