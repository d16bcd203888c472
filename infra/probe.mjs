// The health check of a container: ends with 0 when the URL answers 2xx, else with 1 and a word why.
const [url = ''] = process.argv.slice(2)

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_500) })
  if (!response.ok) fail(`answered ${response.status}`)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

/** @param {string} reason */
function fail(reason) {
  console.error(`${url} ${reason}`)
  process.exitCode = 1
}
