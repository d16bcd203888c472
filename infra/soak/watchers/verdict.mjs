/**
 * Prints what was found, each with what it may be at most.
 *
 * @param {string} title
 * @param {readonly { name: string, value: number, most: number, unit: string }[]} findings
 * @returns {boolean} whether all are as they should be
 */
export function printVerdict(title, findings) {
  console.log(title)
  for (const { name, value, most, unit } of findings) {
    const mark = value <= most ? 'ok' : 'NOT OK'
    console.log(`  ${name}: ${value.toFixed(1)} ${unit}, at most ${most} ${unit}: ${mark}`)
  }
  return findings.every(({ value, most }) => value <= most)
}
