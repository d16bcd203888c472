/**
 * Why SyncHub cannot start, said to the person at the terminal: `message` is one sentence that names the layer and the
 * place, `remedy` is what to do about it. The start prints both and exits with 1; anything else that is thrown is a bug.
 */
export class StartError extends Error {
  override readonly name = 'StartError'

  /** What the reader can do now: a sentence, or commands to paste, one a line. */
  readonly remedy: string

  constructor(message: string, remedy: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.remedy = remedy
  }
}
