/** CPU time that `work` takes, in milliseconds: unlike the clock's it does not grow with what else the machine does. */
export function measureCpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
