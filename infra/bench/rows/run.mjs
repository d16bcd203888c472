import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { openRoom } from '../../processes/room.mjs'
import { renderTable } from '../report/table.mjs'
import { ROWS } from './list.mjs'

/**
 * Measures the rows that are wanted, one after the other, and reports. A row that fails does not keep the others from it.
 *
 * @param {import('../arguments.mjs').Wishes} wishes
 * @returns {Promise<number>} the exit code: 0 when every row was measured, whether its goal is met or not
 */
export async function runRows({ only, short, json, profile }) {
  const unknown = only?.filter((id) => ROWS.every((row) => row.id !== id)) ?? []
  if (unknown.length > 0) {
    console.error(`there is no row ${unknown.join(', ')}; there are ${ROWS.map(({ id }) => id).join(', ')}`)
    return 1
  }
  const wanted = ROWS.filter(({ id }) => only === undefined || only.includes(id))
  /** @type {import('../report/table.mjs').ReportLine[]} */
  const report = []
  let failures = 0
  for (const row of wanted) {
    // What else runs here spoils every number, and most of all the ratio of a side that needs both cores.
    console.error(`${row.id} ${row.title} (${describeMachine()}) ...`)
    const room = await openRoom('bench', { profile })
    try {
      const { figures, lines = [] } = await row.measure({ short, room })
      for (const line of lines) console.error(`  ${line}`)
      report.push(...figures.map((figure) => toReportLine(row, figure)))
    } catch (thrown) {
      failures++
      console.error(`  ${row.id} could not be measured: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
    } finally {
      await room.close()
    }
  }
  console.log(renderTable(report))
  if (json !== undefined) {
    const entries = report.map(({ id, ours, peer, ratio, goal, met }) => ({ id, ours, peer, ratio, goal, met }))
    writeFileSync(json, `${JSON.stringify(entries, null, 2)}\n`)
  }
  return failures === 0 ? 0 : 1
}

function describeMachine() {
  const cores = cpus()
  return `${cores.length} x ${cores[0]?.model}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`
}

/**
 * @param {import('./list.mjs').Row} row
 * @param {import('./list.mjs').Figure} figure
 * @returns {import('../report/table.mjs').ReportLine}
 */
function toReportLine(row, { name, title, ours, peer, unit, goal }) {
  const ratio = peer === null ? null : ours / peer
  return {
    id: name === undefined ? row.id : `${row.id}/${name}`,
    title: title ?? row.title,
    ours,
    peer,
    unit,
    ratio,
    goal: goal.text,
    met: goal.isMet({ ours, ratio }),
  }
}
