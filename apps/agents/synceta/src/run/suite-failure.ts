/**
 * A suite could not be run to its end, so it has neither passed nor failed: its command is missing, its target is not reached, its
 * output is no report, its time is over. The message is a sentence for the caller.
 */
export class SuiteFailure extends Error {
  override readonly name = 'SuiteFailure'
}
