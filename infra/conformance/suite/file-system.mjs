// House rule aside, this must be the whole module: it stands in the place of `node:fs`.
export * from 'node:fs'
export { default } from 'node:fs'

/** Not there before Node 22; only the command `tier-check` of the suite calls it. */
export function globSync() {
  throw new Error('this command of the suite needs Node 22')
}
