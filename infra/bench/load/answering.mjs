/**
 * Lets a program answer the questions of the bench, one at a time; a failure is an answer too.
 *
 * @template Question
 * @param {(question: Question) => Promise<object>} answer
 */
export function answerQuestions(answer) {
  process.on('message', (question) => {
    // Answered by watched.mjs.
    if (question === 'usage') return
    answer(/** @type {Question} */ (question)).then(
      (result) => process.send?.(result),
      (thrown) => process.send?.({ failure: thrown instanceof Error ? thrown.stack : String(thrown) }),
    )
  })
}
