import { plainLine, plainText } from './plain-text.js'

/** What is markup anywhere in a line, and what makes a link of an address that stands in it. */
const MARKUP = /[\\`*_[\]#|~$<>&@]|:(?=\/\/)|(?<=\bwww)\./gi

/** Foreign text on one line of Markdown, shown and not interpreted: neither Markdown nor HTML nor links come out of it. */
export function inertLine(text: string): string {
  return plainLine(text).replaceAll(MARKUP, (mark) => ENTITIES.get(mark) ?? `\\${mark}`)
}

/** These are written as entities: a reader that takes the file for HTML must find no tag either. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
])

/** Foreign text as a block of code, line by line as it is; its fence is longer than any inside. */
export function codeBlock(text: string): string[] {
  const lines = plainText(text).split('\n')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}text`, ...lines, fence]
}
