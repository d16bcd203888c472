const REDACTED = '[redacted]'

const SECRET_NAMES = 'authorization|api[-_]?key|secret|password|(?:access|refresh)[-_]?token|cookie'
// The arguments of a call may hold anything; they live in its record only (invariant 9).
const SECRET_NAME = new RegExp(`${SECRET_NAMES}|^arguments$`, 'i')
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi
// A run access token, wherever it stands: an agent that echoes it, or writes it to its standard error, must not put it into our log.
const RUN_ACCESS = /shr_[\w-]+\.\d+\.[\w-]+/g
const URL_CREDENTIALS = /(:\/\/)[^\s/@"]+@/g

// Parsing a line costs more than writing it, and hardly one has anything of this.
const HINT = new RegExp(`${SECRET_NAMES}|"arguments"|\\bbearer\\s|shr_|:\\/\\/[^\\s/@"]+@`, 'i')

/**
 * Takes every secret out of one line of JSON: values under a secret's name at any depth, keys behind `Bearer`, access tokens of runs
 * and credentials of URLs in any text. Working on the finished line, it sees what errors, serializers and child loggers put there.
 */
export function redactLine(line: string): string {
  return HINT.test(line) ? `${JSON.stringify(JSON.parse(line), redactMember)}\n` : line
}

function redactMember(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return REDACTED
  if (typeof value !== 'string') return value
  return value
    .replaceAll(BEARER, `Bearer ${REDACTED}`)
    .replaceAll(RUN_ACCESS, REDACTED)
    .replaceAll(URL_CREDENTIALS, `$1${REDACTED}@`)
}
