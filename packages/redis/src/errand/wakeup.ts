/** A pause that can be ended from elsewhere; a wake that comes while nobody pauses ends the next pause at once. */
export class Wakeup {
  #isDue = false
  #end = () => {}

  wake(): void {
    this.#isDue = true
    this.#end()
  }

  /** Settles when it is woken, or after `maxMs` milliseconds. */
  async pause(maxMs: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maxMs)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isDue = false
  }
}
