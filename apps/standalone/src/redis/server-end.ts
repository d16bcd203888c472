import { StartError } from '../start-error.js'

/** True when a server gave up because something else had taken its port since it was found free. */
export function isPortTaken(output: string): boolean {
  return /Address already in use/.test(output)
}

/** The sentence for a server that ended while it was starting, from the last lines that it wrote. */
export function explainEarlyEnd(command: string, dataDir: string, output: string): StartError {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = stripPrefix(
    lines.findLast((line) => /#|\*\*\*|FATAL|[Ee]rror|[Ff]ailed/.test(line)) ?? lines.at(-1) ?? '',
  )
  return new StartError(
    `Redis: ${command} ended while it was starting: ${reason || 'it said nothing'}`,
    remedyFor(output, dataDir),
  )
}

function remedyFor(output: string, dataDir: string): string {
  if (/No space left/.test(output)) return `Make room on the disk of ${dataDir}.`
  if (/append only file|AOF|RDB format/i.test(output)) {
    return `Its log is damaged or was written by a newer Redis. Copy ${dataDir} away, then repair it with redis-check-aof --fix, or start on another data folder.`
  }
  return `What it wrote last:\n${output.trimEnd()}`
}

/** A server's line without process number, role and date: `4711:M 01 Jan 2026 12:00:00.000 # Fatal error` is `Fatal error`. */
function stripPrefix(line: string): string {
  return line.replace(/^\d+:[A-Z] \d.*? [*#.-] /, '').trim()
}
