import type { Block } from './block.js'

/** Takes plain text apart into the paragraphs that blank lines separate. */
export function* parsePlainText(text: string): Generator<Block> {
  let paragraph: string[] = []
  let startLine = 1
  let line = 0
  for (const content of linesOf(text)) {
    line += 1
    if (content.trim() !== '') {
      if (paragraph.length === 0) startLine = line
      paragraph.push(content)
      continue
    }
    if (paragraph.length > 0) yield paragraphBlock(paragraph, startLine)
    paragraph = []
  }
  if (paragraph.length > 0) yield paragraphBlock(paragraph, startLine)
}

/** The lines of a text without their ends, one at a time, so that a big text is never held twice. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start <= text.length) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? undefined : end)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (end === -1) return
    start = end + 1
  }
}

function paragraphBlock(lines: readonly string[], startLine: number): Block {
  return { kind: 'prose', text: lines.join('\n'), startLine, endLine: startLine + lines.length - 1, headings: [] }
}
