import { provideTestBrowser } from './test-browser.mjs'
import { startTestRedis } from './test-redis.mjs'

/**
 * What a whole run shares. Jest wants it to be a module's default export.
 *
 * @param {{ testPathPatterns: { patterns: readonly string[] } }} config of the run
 */
export default async function setUpRun({ testPathPatterns }) {
  await startTestRedis()
  // Who names some tests waits for no installation that they may not even need.
  const mayInstall = testPathPatterns.patterns.length === 0
  await provideTestBrowser({ mayInstall, onProgress: (line) => console.error(line) })
}
