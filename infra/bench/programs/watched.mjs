// Loaded before the programs under test (`--import`): tells the bench what they use, and ends them with the bench.
process.on('message', (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() })
  }
})
process.on('disconnect', () => process.exit(1))
