/** What an agent sent is not what the contract says; the message names the place. */
export class BrokenAnswerError extends Error {
  override readonly name = 'BrokenAnswerError'
}
