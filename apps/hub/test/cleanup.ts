const closers: (() => unknown)[] = []
const processes: (() => Promise<unknown>)[] = []

/** Has `close` run at the end of the test or file, the last one first. */
export function atEnd(close: () => unknown): void {
  closers.push(close)
}

/** Has `stop` run before all of that, together with every other process: what they need is still there then. */
export function stopAtEnd(stop: () => Promise<unknown>): void {
  processes.push(stop)
}

/** For `afterEach` or `afterAll`: undoes whatever was opened, all of it even where one part cannot be closed. */
export async function closeAll(): Promise<void> {
  const stopped = await Promise.allSettled(processes.splice(0).map((stop) => stop()))
  const failures: unknown[] = stopped.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    try {
      await close()
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `could not close: ${failures.map(String).join('; ')}`)
}
