import { StringDecoder } from 'node:string_decoder'
import { createRedaction, formsOf, type Redact } from './redaction.js'

/** The end of a text that comes in pieces, however long it was, without secrets. */
export class RedactedTail {
  readonly #maxLength: number
  /** Of the longest form in which a secret may stand in the text, in characters. */
  readonly #maxSecretLength: number
  readonly #redact: Redact
  readonly #decoder = new StringDecoder('utf8')
  #kept = ''
  #isCut = false

  /** @param maxLength - of what is told, in characters */
  constructor(secrets: readonly string[], maxLength: number) {
    this.#maxLength = maxLength
    this.#maxSecretLength = Math.max(0, ...formsOf(secrets).map(({ length }) => length))
    this.#redact = createRedaction(secrets)
  }

  add(chunk: Buffer): void {
    const text = this.#kept + this.#decoder.write(chunk)
    const maxKept = this.#maxLength + this.#maxSecretLength
    this.#isCut ||= text.length > maxKept
    this.#kept = text.slice(-maxKept)
  }

  toString(): string {
    const text = this.#redact(this.#kept)
    // What was kept may begin in the middle of a secret, whose rest nobody would recognise.
    return (this.#isCut ? text.slice(this.#maxSecretLength) : text).slice(-this.#maxLength)
  }
}
