/** Scenarios that are not required and that a server cannot pass or fail: they only look, or wait for what is optional. */
const INFORMATIVE = new Set(['server-session-lifecycle', 'server-sse-polling'])

/**
 * Says what a revision's run means.
 *
 * @param {string} revision
 * @param {Awaited<ReturnType<typeof import('./suite/suite.mjs').runRevision>>} run
 * @returns {{ passed: boolean, text: string }}
 */
export function describeRevision(revision, { required, scenarios, text }) {
  // A suite that broke off has no line for some of them.
  const isPassed = (/** @type {string} */ name) =>
    scenarios.some((scenario) => scenario.name === name && scenario.passed)
  const further = scenarios.map(({ name }) => name).filter((name) => !required.includes(name) && !INFORMATIVE.has(name))
  const lines = [
    `${revision}: ${required.filter(isPassed).length} of ${required.length} required scenarios pass, and ${
      further.filter(isPassed).length
    } of ${further.length} others.`,
  ]
  for (const name of [...required, ...further].filter((each) => !isPassed(each))) {
    const counts = scenarios.find((scenario) => scenario.name === name)?.counts ?? 'not run'
    lines.push(`  failed: ${name} (${counts})`)
  }
  if (scenarios.length === 0) lines.push(text)
  return { passed: [...required, ...further].every(isPassed), text: lines.join('\n') }
}
