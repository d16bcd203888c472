import { nodeFree, oneEnvironmentReader, pureCore } from './ambient-use.js'
import { importDirection } from './import-direction.js'
import { ownFolder } from './own-folder.js'
import { documentedExports, domainFolders, explicitNames, noSuppressions } from './plain-code.js'
import type { HouseRule } from './source-file.js'

/** All rules that the sources are held to, by the name that a broken one is reported under. */
export const HOUSE_RULES: Readonly<Record<string, HouseRule>> = {
  'imports go in one direction': importDirection,
  'relative imports stay in their workspace': ownFolder,
  'protocol and client run without Node': nodeFree,
  'core has no clock, store, network or logger': pureCore,
  'the environment is read in one place': oneEnvironmentReader,
  'folders are domain nouns': domainFolders,
  'findings are mended, not silenced': noSuppressions,
  'exports and assertions are explicit': explicitNames,
  'exports are documented': documentedExports,
}
