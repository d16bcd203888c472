// Loaded before each program (`--import`): tells the bench what the program uses, and ends it with the bench.
process.on('message', (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() })
  }
})
process.on('disconnect', () => process.exit(1))
