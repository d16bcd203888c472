import type { DocumentOrigin } from '../documents/document.js'
import { inertLine } from './inert-text.js'

/** A place that a report cites. */
export interface Place {
  readonly origin: DocumentOrigin
  readonly startLine: number
  readonly endLine: number
  readonly headings: readonly string[]
}

/** Numbers the places of a report in the order in which they are first cited. */
export class Citations {
  readonly #places = new Map<string, Place>()

  /** The mark of a place in the text, such as `[3]`. */
  cite(place: Place): string {
    const { origin, startLine, endLine } = place
    const key = [origin.source, origin.path, startLine, endLine].join('\n')
    if (!this.#places.has(key)) this.#places.set(key, place)
    return `[${[...this.#places.keys()].indexOf(key) + 1}]`
  }

  /** The list at the end of the report. */
  list(): string[] {
    return [...this.#places.values()].map((place, index) => `- [${index + 1}] ${describePlace(place)}`)
  }
}

function describePlace({ origin, startLine, endLine, headings }: Place): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`
  const under = headings.length === 0 ? '' : ` (${inertLine(headings.join(' › '), 160)})`
  return `**${origin.source}**: ${inertLine(origin.path)}, ${lines}${under}`
}
