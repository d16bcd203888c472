/**
 * One line of the report.
 *
 * @typedef {object} ReportLine
 * @property {string} id of the row, and of the figure where the row has several: `a`, `a/p99`
 * @property {string} title
 * @property {number} ours
 * @property {number | null} peer
 * @property {string} unit
 * @property {number | null} ratio
 * @property {string} goal
 * @property {boolean | null} met null where nothing is wanted
 */

/**
 * @param {readonly ReportLine[]} lines
 * @returns {string} a table in Markdown, as docs/BENCHMARKS.md shows it
 */
export function renderTable(lines) {
  const header = ['', 'what', 'ours', 'peer', 'unit', 'ratio', 'goal', 'met']
  const rows = lines.map(({ id, title, ours, peer, unit, ratio, goal, met }) => [
    id,
    title,
    formatNumber(ours),
    formatNumber(peer),
    unit,
    formatNumber(ratio),
    goal,
    met === null ? '-' : met ? 'yes' : 'no',
  ])
  const widths = header.map((name, at) => Math.max(name.length, 3, ...rows.map((row) => (row[at] ?? '').length)))
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** @param {number | null} value */
function formatNumber(value) {
  if (value === null) return '-'
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 1000 ? 4 : 3 })
}
