#!/usr/bin/env node
// The command's bin. It stands in the tree, since npm links no bin whose file a build has yet to write.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = new URL('./dist/main.js', import.meta.url)
if (existsSync(main)) {
  if (isOlderThanSources()) {
    process.stderr.write(
      'synchub: the command is older than its sources; run `npm run build` in the project folder to have it as they are.\n',
    )
  }
  await import(main.href)
} else {
  process.stderr.write(
    'synchub: the command is not built yet; run `npm run build` in the project folder, or `npm start`.\n',
  )
  process.exitCode = 1
}

/**
 * Whether sources came or went since the last build, as with a `git pull`, which replaces each file that it changes. Of the workspaces
 * that the command is made of, and by the times of their folders alone: to look at every file would take longer than the command.
 */
function isOlderThanSources() {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const packages = Object.keys(dependencies).filter((name) => name.startsWith('@synchub/'))
  const workspaces = [here, ...packages.map((name) => join(here, '../../packages', name.slice('@synchub/'.length)))]
  // Written by every `npm run build`; the compiler alone writes only what came out otherwise.
  const stampMs = changedMs(join(here, '../../node_modules/.synchub-build')) ?? 0
  return workspaces.some((workspace) => {
    const compiledMs = changedMs(join(workspace, 'dist', '.tsbuildinfo')) ?? 0
    return hasChangedSince(join(workspace, 'src'), Math.max(stampMs, compiledMs))
  })
}

/**
 * @param {string} folder
 * @param {number} sinceMs
 * @returns {boolean}
 */
function hasChangedSince(folder, sinceMs) {
  const atMs = changedMs(folder)
  // An installation may have no sources.
  if (atMs === undefined) return false
  if (atMs > sinceMs) return true
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.some((entry) => entry.isDirectory() && hasChangedSince(join(folder, entry.name), sinceMs))
}

/** @param {string} path */
function changedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
