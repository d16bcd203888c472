// Loaded before each program (`--import`): tells whoever started it what the program uses, and ends it with that one.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Timers, sockets and whatever else keeps the process alive. */
const countHandles = () => process.getActiveResourcesInfo().length

process.on('message', (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss(), handles: countHandles() })
  }
  if (question === 'settled') {
    // Garbage that waits to be collected would look like growth.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ residentBytes: rss, heapBytes: heapUsed + external, handles: countHandles() })
  }
})
process.on('disconnect', () => process.exit(1))
