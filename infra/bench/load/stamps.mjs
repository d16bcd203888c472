import { quantile } from './quantile.mjs'

const STAMP = /stamp-(\d+)\./g

/** The instant, for a message that another process or another socket reads. All processes of a machine share this clock. */
export function stamp() {
  return `stamp-${process.hrtime.bigint()}.`
}

/** Latencies of the messages that are read, from the stamps in them. */
export class StampReader {
  /** @type {number[]} */
  #latenciesMs = []
  /** @type {(() => void) | undefined} */
  #onRead

  /** @param {string} text */
  read(text) {
    const now = process.hrtime.bigint()
    for (const [, sentAt = ''] of text.matchAll(STAMP)) this.#latenciesMs.push(Number(now - BigInt(sentAt)) / 1e6)
    this.#onRead?.()
  }

  /**
   * What has been read since the last time, once it is all there.
   *
   * @param {number} count of the messages that were sent
   * @returns {Promise<{ p50Ms: number, p99Ms: number }>}
   */
  async take(count) {
    await new Promise((resolve) => {
      this.#onRead = () => {
        if (this.#latenciesMs.length >= count) resolve(undefined)
      }
      this.#onRead()
    })
    const taken = this.#latenciesMs
    if (taken.length !== count) throw new Error(`${taken.length} events were read where ${count} were written`)
    this.#latenciesMs = []
    return { p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99) }
  }
}
