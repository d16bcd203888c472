/** Most variables of one template. */
const MAX_EXPRESSIONS = 32

/** A part of a template: text that stands as it is, or a place for values. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `takes` is what one character of it may be. */
  | { readonly kind: 'value'; readonly minChars: number; takes(char: string): boolean }

/**
 * A template of URIs (RFC 6570), to tell whose a URI may be. It says yes to more URIs than the template makes; the agent has the
 * last word. A sweep over the URI for each part, so that no template takes more than linear time.
 */
export class UriTemplate {
  readonly #parts: readonly Part[]

  private constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** Undefined where the text is no template, or one with more than 32 variables. */
  static parse(text: string): UriTemplate | undefined {
    const pieces = text.split(/(\{[^{}]*\})/)
    if (pieces.length > 2 * MAX_EXPRESSIONS + 1) return undefined
    const parts: Part[] = []
    for (const piece of pieces) {
      const part = readPart(piece)
      if (part === undefined) return undefined
      parts.push(part)
    }
    return new UriTemplate(parts)
  }

  /** Whether the template may have made this URI. */
  mayMatch(uri: string): boolean {
    // Where the URI may have got to by the parts so far.
    let reached = new Set([0])
    for (const part of this.#parts) {
      reached = part.kind === 'text' ? skipText(uri, part.text, reached) : skipValue(uri, part, reached)
      if (reached.size === 0) return false
    }
    return reached.has(uri.length)
  }
}

const EXPRESSION = /^\{([+#./;?&]?)[A-Za-z0-9_.%,:*-]+\}$/

function readPart(piece: string): Part | undefined {
  if (!/[{}]/.test(piece)) return { kind: 'text', text: piece }
  const [, operator] = EXPRESSION.exec(piece) ?? []
  if (operator === undefined) return undefined
  if (operator === '') return { kind: 'value', minChars: 1, takes: (char) => !'/?#'.includes(char) }
  // Lists, paths and queries may be absent as a whole.
  return { kind: 'value', minChars: operator === '+' ? 1 : 0, takes: () => true }
}

function skipText(uri: string, text: string, reached: ReadonlySet<number>): Set<number> {
  return new Set([...reached].filter((at) => uri.startsWith(text, at)).map((at) => at + text.length))
}

function skipValue(
  uri: string,
  { minChars, takes }: Part & { kind: 'value' },
  reached: ReadonlySet<number>,
): Set<number> {
  const next = new Set<number>()
  let isInside = false
  for (let at = 0; at <= uri.length; at++) {
    if (reached.has(at)) {
      isInside = true
      if (minChars === 0) next.add(at)
    }
    if (!isInside || at === uri.length) continue
    if (takes(uri.charAt(at))) next.add(at + 1)
    else isInside = false
  }
  return next
}
