import { join } from 'node:path'

/**
 * The checks that only read the sources, those that take longest first, so that two at a time end together.
 *
 * @param {string} root
 * @returns {import('./check-step.mjs').CheckStep[]}
 */
export function staticSteps(root) {
  /** @param {string[]} path */
  const program = (...path) => join(root, 'node_modules', ...path)
  return [
    {
      name: 'unused code',
      args: [program('knip', 'bin', 'knip.js'), '-c', 'infra/checks/knip.jsonc', '--no-progress'],
    },
    { name: 'types of tests', args: [program('typescript', 'bin', 'tsc'), '-p', 'infra/checks/tsconfig.json'] },
    { name: 'lint', args: [program('oxlint', 'bin', 'oxlint'), '-c', 'infra/checks/oxlint.jsonc', '--deny-warnings'] },
    {
      name: 'format',
      args: [program('@biomejs', 'biome', 'bin', 'biome'), 'check', '--config-path=infra/checks/format.json', '.'],
    },
  ]
}
