import type { Block } from './block.js'
import { linesOf } from './plain-text.js'

const DECLARATION =
  /\b(?:function\*?|class|interface|type|const|let|enum|struct|trait|fn|def|func)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u
const MEMBER =
  /^\s*(?:(?:readonly|async|static|public|private|protected|override|get|set)\s+)*#?([\p{L}_$][\p{L}\p{N}_$]*)\s*[?(:<=]/u
const MAX_NAME_LENGTH = 200
const ONE_LINE = /^\s*\/\*\*(?!\/)(.*?)\*\//
/** Each part is bounded: a line may be as long as the file. */
const LINK = /\{@link(?:code|plain)?\s{1,4}([^\s}|]{1,200})(?:\s{0,4}\|\s{0,4}([^}]{0,200}))?\s{0,4}\}/g
const OPENING = /^\s*\/\*\*(?!\/)(.*)$/

/**
 * Takes the documentation comments (two stars after the slash) of source code, since there a project says what its parts do.
 * A comment's heading is what is declared on the first line after it. Code itself makes no claims and is left out.
 */
export function* parseDocComments(text: string): Generator<Block> {
  let open: Comment | undefined
  let closed: Comment | undefined
  let line = 0
  for (const content of linesOf(text)) {
    line += 1
    if (open === undefined) {
      if (closed !== undefined && content.trim() !== '') {
        yield* blocksOf(closed, (DECLARATION.exec(content) ?? MEMBER.exec(content))?.[1])
        closed = undefined
      }
      const short = ONE_LINE.exec(content)?.[1]
      if (short !== undefined) closed = { lines: [short], startLine: line }
      else if (OPENING.test(content)) open = { lines: [OPENING.exec(content)?.[1] ?? ''], startLine: line }
      continue
    }
    const end = content.indexOf('*/')
    open.lines.push((end === -1 ? content : content.slice(0, end)).replace(/^\s*\*?/, ''))
    if (end === -1) continue
    closed = open
    open = undefined
  }
  if (closed !== undefined) yield* blocksOf(closed, undefined)
}

interface Comment {
  readonly lines: string[]
  readonly startLine: number
}

/** One block for the description and one for each tag, such as `@throws`. */
function* blocksOf(comment: Comment, declared: string | undefined): Generator<Block> {
  const headings = declared === undefined ? [] : [declared.slice(0, MAX_NAME_LENGTH)]
  let part: string[] = []
  let startLine = comment.startLine
  for (const [index, raw] of [...comment.lines, ''].entries()) {
    const text = plainTextOf(raw)
    const ends = text === '' || /^@[a-z]/.test(text)
    if (ends && part.length > 0) {
      const endLine = startLine + part.length - 1
      yield { kind: 'prose', text: part.join('\n'), startLine, endLine, headings }
      part = []
    }
    if (text === '') continue
    if (part.length === 0) startLine = comment.startLine + index
    part.push(text)
  }
}

function plainTextOf(line: string): string {
  return line.replaceAll(LINK, (_, name, label) => label ?? name).trim()
}
