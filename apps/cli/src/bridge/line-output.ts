import { once } from 'node:events'

/** Where messages go, one a line; nothing else may be written there. */
export class LineOutput {
  readonly #stream: NodeJS.WritableStream
  #room: Promise<void> | undefined

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
  }

  /**
   * Writes one message; resolves when its reader can take more, so that a hub that streams is slowed by a slow reader, never buffered.
   * @param json - its text; line breaks between its tokens are taken out
   */
  async write(json: string): Promise<void> {
    if (!this.#stream.writable) return
    if (this.#stream.write(`${json.replaceAll(/[\r\n]+/g, ' ')}\n`)) return
    this.#room ??= this.#waitForRoom()
    await this.#room
  }

  async #waitForRoom(): Promise<void> {
    const either = new AbortController()
    const events = ['drain', 'close'].map((event) => once(this.#stream, event, { signal: either.signal }))
    await Promise.race(events)
    either.abort()
    await Promise.allSettled(events)
    this.#room = undefined
  }
}
