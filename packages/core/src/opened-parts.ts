/**
 * The parts of something that is opened one after another, closed in reverse order: at its end, and as soon as a later part cannot be
 * opened.
 */
export class OpenedParts {
  readonly #ends: (() => Promise<void> | void)[] = []
  #closing: Promise<void> | undefined

  /** Has `end` run when all is closed, before the ends of what was opened earlier. */
  add(end: () => Promise<void> | void): void {
    this.#ends.push(end)
  }

  /**
   * Closes every part, also where one cannot be. Asked again, it waits for the same end.
   * @throws AggregateError of all that went wrong
   */
  close(): Promise<void> {
    this.#closing ??= this.#endAll()
    return this.#closing
  }

  async #endAll(): Promise<void> {
    const failures: unknown[] = []
    for (const end of this.#ends.toReversed()) {
      try {
        await end()
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `not all was closed: ${failures.map(String).join('; ')}`)
  }
}

/**
 * Opens something of several parts; where that fails, the parts that were opened by then are closed again.
 * @param onFailure - told what could not be closed then
 * @throws what `open` throws
 */
export async function openInOrder<T>(
  open: (parts: OpenedParts) => Promise<T>,
  onFailure: (thrown: unknown) => void,
): Promise<T> {
  const parts = new OpenedParts()
  try {
    return await open(parts)
  } catch (thrown) {
    await parts.close().catch(onFailure)
    throw thrown
  }
}
