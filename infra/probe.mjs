// The health check of a container: ends with 0 when the URL answers 2xx, else with 1 and a word why. An agent answers
// only who has its secret; the second argument names the variable that holds it.
const [url = '', secretVariable = ''] = process.argv.slice(2)
const secret = process.env[secretVariable]

try {
  const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_500) })
  if (!response.ok) fail(`answered ${response.status}`)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

/** @param {string} reason */
function fail(reason) {
  console.error(`${url} ${reason}`)
  process.exitCode = 1
}
