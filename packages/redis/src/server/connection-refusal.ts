import { HubError } from '@synchub/protocol'

/** What a server's or the network's answer means to the person who set `REDIS_URL`, by the beginning of its words. */
const REFUSALS: readonly (readonly [answer: RegExp, meaning: string, remedy: string])[] = [
  [/^NOAUTH/, 'asks for a password', 'Add it to REDIS_URL: redis://:password@host:port'],
  [/^WRONGPASS|invalid password/, 'refuses this password', 'Correct the user and password in REDIS_URL.'],
  [/^ERR AUTH/, 'knows no password, but REDIS_URL has one', 'Remove the password from REDIS_URL.'],
  [/^ERR unknown command.*HELLO/i, 'is too old, from before version 6', 'Upgrade it to Redis 7.0 or newer.'],
  [/^NOPERM/, 'does not allow this user what SyncHub does', 'Give the user +@all on the keys ~* and the channels &*.'],
  [/^READONLY/, 'takes no writes', 'Let REDIS_URL name a primary.'],
  [/^MISCONF/, 'takes no writes, because it cannot save to its disk', 'Make room on its disk, or see its log.'],
  [/^OOM/, 'takes no writes, because its memory is full', 'Raise its maxmemory, or remove data from it.'],
  [/^LOADING/, 'is still reading its data', 'Start again in a moment.'],
  [/^ECONNREFUSED/, 'does not answer: nothing listens there', 'Start it, or correct host and port in REDIS_URL.'],
  [/^ENOTFOUND|^EAI_AGAIN/, 'has a host name that does not resolve', 'Correct the host in REDIS_URL.'],
  [/^Stream isn't writeable|^Connection is closed/, 'does not answer', 'Start it, or correct REDIS_URL.'],
  [/^EHOSTUNREACH|^ENETUNREACH/, 'cannot be reached: no route leads there', 'Correct the host in REDIS_URL.'],
  [
    /^ETIMEDOUT|timed out/,
    'does not answer in time',
    'See that a Redis runs there and that no firewall is in between.',
  ],
]

/** The sentence for a server that cannot be reached or refuses. `place` is its URL without credentials, or what names it. */
export function explainRefusal(error: unknown, place: string): HubError {
  const { code, message } = readFailure(error)
  const answer = `${code} ${message}`.trim()
  const refusal = REFUSALS.find(([pattern]) => pattern.test(answer) || pattern.test(message))
  const [, meaning, remedy] = refusal ?? [
    undefined,
    // The words of the system name hosts and ports, which not everybody need learn who is told; its code says enough.
    `cannot be used (${code === '' ? message : code})`,
    'Check that it is a Redis and that REDIS_URL is right, and that no other service has its port.',
  ]
  return new HubError('HUB_UNAVAILABLE', `Redis: the server at ${place} ${meaning}`, {
    nextStep: remedy,
    cause: error,
  })
}

/** Code and words of whatever was thrown, by shape: under a test runner errors of the system belong to another realm. */
function readFailure(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) }
  const { code, message }: { code?: unknown; message?: unknown } = error
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/** A Redis URL without user and password, fit for a terminal and a log. What is no URL is not shown at all. */
export function hideCredentials(url: string): string {
  if (!URL.canParse(url)) return 'hidden, for it may hold a password'
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.search = ''
  return shown.href
}
