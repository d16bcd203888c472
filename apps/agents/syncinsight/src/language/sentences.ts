/** A sentence and where it begins in the text that it was taken from. */
export interface Sentence {
  readonly text: string
  /** Offset of its first character, in UTF-16 code units. */
  readonly start: number
}

/** The segmenter's cost grows with the square of its input, so a longer text is cut into windows of this many characters. */
const WINDOW_LENGTH = 2_000
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|no|fig|approx|dr|mr|mrs|ms)\.\s*$/i

const segmenter = new Intl.Segmenter('ko', { granularity: 'sentence' })

/** Splits a text into trimmed sentences of English, Korean and other scripts; line breaks inside a sentence become spaces. */
export function splitSentences(text: string): Sentence[] {
  const flat = text.replaceAll(/\s/g, ' ')
  const sentences: Sentence[] = []
  let open = { text: '', start: 0 }
  for (const { start, end } of windowsOf(flat)) {
    for (const { segment, index } of segmenter.segment(flat.slice(start, end))) {
      open = open.text === '' ? { text: segment, start: start + index } : { ...open, text: open.text + segment }
      // The segmenter ends a sentence after "e.g." when a capital or a Hangul letter follows.
      if (ABBREVIATION.test(open.text)) continue
      sentences.push(open)
      open = { text: '', start: 0 }
    }
  }
  sentences.push(open)
  return sentences.map(trim).filter((sentence) => sentence.text !== '')
}

function* windowsOf(text: string): Generator<{ start: number; end: number }> {
  let start = 0
  while (start < text.length) {
    const limit = start + WINDOW_LENGTH
    const space = limit < text.length ? text.lastIndexOf(' ', limit) : -1
    const cut = space > start ? space + 1 : Math.min(limit, text.length)
    // A cut between the halves of a surrogate pair would leave two broken characters.
    const end = /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) && cut < text.length ? cut + 1 : cut
    yield { start, end }
    start = end
  }
}

function trim({ text, start }: Sentence): Sentence {
  const body = text.trimStart()
  return { text: body.trimEnd(), start: start + text.length - body.length }
}
