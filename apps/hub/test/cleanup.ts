const closers: (() => unknown)[] = []

/** Has `close` run at the end of the test or file, the last one first. */
export function atEnd(close: () => unknown): void {
  closers.push(close)
}

/** For `afterEach` or `afterAll`: undoes whatever was opened, all of it even where one part cannot be closed. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = []
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    try {
      await close()
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `could not close: ${failures.map(String).join('; ')}`)
}
