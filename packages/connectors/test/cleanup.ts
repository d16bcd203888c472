type Cleanup = () => Promise<unknown>

const cleanups: Cleanup[] = []

/** Runs `cleanup` at the end of the test. */
export function atEnd(cleanup: Cleanup): void {
  cleanups.push(cleanup)
}

/** Undoes everything, last first. */
export async function closeAll(): Promise<void> {
  await undo(cleanups.splice(0))
}

/** Keeps what there is now beyond the end of the test. @returns undoes it */
export function keepAll(): () => Promise<void> {
  const kept = cleanups.splice(0)
  return () => undo(kept)
}

async function undo(list: readonly Cleanup[]): Promise<void> {
  for (const cleanup of list.toReversed()) await cleanup()
}
