import type { EventStream } from './event-stream.js'

/** The event streams that are open in this process, so that a stopping hub can end them. */
export class StreamRegistry {
  readonly #streams = new Set<EventStream>()

  add(stream: EventStream): void {
    this.#streams.add(stream)
  }

  delete(stream: EventStream): void {
    this.#streams.delete(stream)
  }

  get size(): number {
    return this.#streams.size
  }

  /** Ends every stream; readers come back to another hub with their cursor. */
  closeAll(): void {
    for (const stream of this.#streams) stream.close('stopping')
  }
}
