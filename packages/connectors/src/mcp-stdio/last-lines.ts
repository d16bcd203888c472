import { stripVTControlCharacters } from 'node:util'

/** Bytes of the end of a stream that are kept. */
const MAX_BYTES = 4_096
/** Lines of them that are told. */
const MAX_LINES = 3
const MAX_LINE_LENGTH = 200
/** Shorter values are words like "on": taking those out would make a text unreadable and hide nothing. */
const MIN_HIDDEN_LENGTH = 8

/** The end of what a process has written, however much it was; secrets that it was given are not in it. */
export class LastLines {
  readonly #hidden: readonly string[]
  #end: Buffer = Buffer.alloc(0)
  #isCut = false

  /** @param given - values that the process was given and that must not come out */
  constructor(given: readonly string[]) {
    this.#hidden = given.filter(({ length }) => length >= MIN_HIDDEN_LENGTH)
  }

  add(chunk: Uint8Array): void {
    this.#isCut ||= this.#end.length + chunk.length > MAX_BYTES
    this.#end = Buffer.concat([this.#end, chunk.subarray(-MAX_BYTES)]).subarray(-MAX_BYTES)
  }

  /** The last lines in one, empty where there are none. */
  toString(): string {
    const written = stripVTControlCharacters(this.#end.toString('utf8'))
    const text = this.hide(this.#isCut ? this.#withoutHalf(written) : written)
    const lines = text.split(/[\r\n]+/).flatMap((line) => {
      const plain = line.replaceAll(/[\p{Cc}\ufffd]/gu, '').trim()
      return plain === '' ? [] : [plain.slice(0, MAX_LINE_LENGTH)]
    })
    return lines.slice(-MAX_LINES).join(' | ')
  }

  /** The text without any secret that the process was given. */
  hide(text: string): string {
    return this.#hidden.reduce((seen, value) => seen.replaceAll(value, '***'), text)
  }

  /** What was kept may begin in the middle of a secret, whose rest nobody would recognise. */
  #withoutHalf(text: string): string {
    const half = Math.max(0, ...this.#hidden.map((value) => restOf(value, text)))
    return text.slice(half)
  }
}

/** How much of the end of a value, but not all of it, the text begins with. */
function restOf(value: string, text: string): number {
  for (let length = value.length - 1; length > 0; length--) if (text.startsWith(value.slice(-length))) return length
  return 0
}
