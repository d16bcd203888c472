/** Reads what a command prints on its standard output, and tells of the cases that it finds there. */
export interface ReportReader {
  /** @throws SuiteFailure when it is no such report, or too large */
  read(chunk: Buffer): void
  /**
   * Tells of the cases that were read and held back, where the command was stopped and nothing more will come. Nothing is read
   * after it.
   */
  flush(): void
  /**
   * Called once, when nothing more will come.
   * @throws SuiteFailure when the report is not complete
   */
  end(): void
}
