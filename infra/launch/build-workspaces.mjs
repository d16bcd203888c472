import { join } from 'node:path'
import { buildSite } from './build-site.mjs'
import { fingerprintSources, isBuilt, stampBuild } from './build-stamp.mjs'
import { runChild } from './child-command.mjs'
import { PreparationFailure } from './preparation-failure.mjs'

/**
 * Compiles every workspace whose sources changed since the last build, and bundles the dashboard if it or what it is made of
 * did. When nothing changed, not even the compiler is started.
 *
 * @param {{ root: string, signal: AbortSignal, say: (line: string) => void }} options
 * @returns {Promise<void>}
 * @throws {PreparationFailure} with the words of compiler or bundler
 */
export async function buildWorkspaces({ root, signal, say }) {
  const sources = fingerprintSources(root)
  if (isBuilt(root, sources)) {
    // By the stamp's time the command knows that somebody looked: a file that came and went again leaves its folder younger.
    stampBuild(root, sources)
    say('build: up to date')
    return
  }
  say('build: compiling what changed')
  const startedAt = performance.now()
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { exitCode, output } = await runChild(process.execPath, [compiler, '-b'], { cwd: root, signal })
  if (exitCode !== 0) throw new PreparationFailure(`Build: the sources do not compile:\n${output.trim()}`)
  await buildSite({ root, signal })
  stampBuild(root, sources)
  say(`build: ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
