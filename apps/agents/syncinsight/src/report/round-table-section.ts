import type { ResearchResult } from '../research/result.js'
import type { Discussion, Position, Verdict } from '../round-table/round-table.js'
import { stateOfReading } from '../sources/reading.js'
import type { Citations } from './citation.js'
import { inertLine } from './inert-text.js'

const SECTIONS: readonly (readonly [Verdict, string, string])[] = [
  ['agreed', 'Agreed', 'Another source says nearly the same, and none says otherwise.'],
  [
    'contested',
    'Contested',
    'Another source differs in a quantity, a negation or an opposite: read both before you use either.',
  ],
  ['single_source', 'Said by one source only', 'No other source says enough about it to compare.'],
]

/** The part of a report that sets the sources against each other. */
export function writeRoundTable(result: ResearchResult, citations: Citations): string[] {
  const lines = ['## Round table', '', METHOD, '']
  if (result.discussions.length === 0) return [...lines, 'There was no claim to cross-check.', '']
  const voices = result.readings.filter((reading) => stateOfReading(reading) !== 'unreadable').length
  if (voices < 2) lines.push('Only one source could be heard, so nothing below was cross-checked.', '')
  for (const [verdict, title, explanation] of SECTIONS) {
    const discussions = result.discussions.filter((discussion) => discussion.verdict === verdict)
    if (discussions.length === 0) continue
    lines.push(`### ${title}`, '', explanation, '')
    for (const discussion of discussions) lines.push(...writeDiscussion(discussion, citations))
    lines.push('')
  }
  return lines
}

const METHOD =
  'Sentences of the findings were compared with the sentences of the other sources by their words, quantities, negations and opposites. ' +
  'This finds places to look at; it does not understand what is meant and does not know what is true.'

function writeDiscussion({ claim, positions }: Discussion, citations: Citations): string[] {
  const { statement } = claim
  const spoken = positions.filter(({ relation }) => relation !== 'silent')
  const silent = positions.filter(({ relation }) => relation === 'silent').map(({ source }) => source)
  return [
    `- **${statement.origin.source}** says: “${inertLine(statement.text)}” ${citations.cite(statement)}`,
    ...spoken.map((position) => `  - ${writePosition(position, citations)}`),
    // Where nobody spoke the section's title says so already.
    ...(spoken.length === 0 || silent.length === 0 ? [] : [`  - silent: ${silent.join(', ')}`]),
  ]
}

function writePosition({ source, relation, reason, statement }: Position, citations: Citations): string {
  const verb = relation === 'contradicts' ? 'contradicts' : 'agrees'
  const quote = statement === undefined ? '' : `: “${inertLine(statement.text)}” ${citations.cite(statement)}`
  return `**${source}** ${verb}, since it ${inertLine(reason)}${quote}`
}
