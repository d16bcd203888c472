/**
 * @param {readonly number[]} values in any order
 * @param {number} share 0.5 for the median
 * @returns {number}
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
