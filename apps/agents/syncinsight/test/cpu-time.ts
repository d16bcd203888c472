/** The CPU time that a piece of work takes, in milliseconds: on a busy machine the clock also runs while others work. */
export function cpuTimeOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
