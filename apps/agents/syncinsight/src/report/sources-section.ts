import type { SourceReading } from '../sources/reading.js'
import { stateOfReading } from '../sources/reading.js'
import type { Unread } from '../sources/unread.js'
import { inertLine } from './inert-text.js'

const STATES = { read: 'read', read_in_part: 'read in part', unreadable: 'could not be read' } as const

/** The parts of a report that say what was read and what was not. */
export function writeSources(readings: readonly SourceReading[]): string[] {
  const rows = readings.map((reading) => {
    const { definition, documentCount, passages } = reading
    return `| ${definition.name} | ${definition.kind} | ${STATES[stateOfReading(reading)]} | ${documentCount} | ${passages.length} |`
  })
  const table = ['| Source | Kind | State | Documents | Passages |', '|---|---|---|---:|---:|', ...rows]
  return ['## Sources', '', ...table, '', ...writeUnread(readings)]
}

function writeUnread(readings: readonly SourceReading[]): string[] {
  const lines = readings.flatMap(({ definition, unread }) => {
    const more = unread.count - unread.listed.length
    const rest = more === 0 ? [] : [`- **${definition.name}**: and ${more} more`]
    return [...unread.listed.map(describeUnread), ...rest]
  })
  return lines.length === 0 ? [] : ['### Not read', '', ...lines, '']
}

/** One line on something that was not read. */
function describeUnread({ source, path, reason }: Unread): string {
  return `- **${source}**${path === undefined ? '' : `: ${inertLine(path)}`}: ${inertLine(reason)}`
}
