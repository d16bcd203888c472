import { describe, expect, test } from '@jest/globals'
import { createLogger, LOG_LEVELS } from '../src/index.js'

/** A logger and the lines that it has written. */
function open(level?: string) {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, logger: createLogger({ name: 'hub', destination, ...(level === undefined ? {} : { level }) }) }
}

const SECRET = 'shk_0123456789abcdef'

/** What one entry looks like in the log. */
function written(fields: object, message = 'done'): string {
  const { lines, logger } = open()
  logger.info(fields, message)
  return lines.join('')
}

describe('createLogger', () => {
  test('writes one line of JSON for each entry, with the name, and traceId and callId where they are known', () => {
    const { lines, logger } = open()
    logger.child({ traceId: 'tr-1' }).warn({ callId: 'c-1', text: 'two\nlines' }, 'refused')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^[^\n]+\n$/)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      name: 'hub',
      traceId: 'tr-1',
      callId: 'c-1',
      text: 'two\nlines',
      msg: 'refused',
    })
  })

  test('writes from info upwards, or from the level that it is told', () => {
    for (const [level, count] of [
      [undefined, 1],
      ['debug', 2],
      ['error', 0],
      ['silent', 0],
    ] as const) {
      const { lines, logger } = open(level)
      logger.debug('a')
      logger.info('b')
      expect([level, lines.length]).toEqual([level, count])
    }
  })

  test('knows the levels that LOG_LEVEL may name', () => {
    for (const level of LOG_LEVELS) expect(open(level).logger.level).toBe(level)
    expect(() => open('loud')).toThrow('loud')
  })
})

describe('a log line holds no secret', () => {
  const names = [
    ['authorization', 'Authorization', 'proxy-authorization'],
    ['apiKey', 'api_key', 'X-Api-Key', 'APIKEY'],
    ['secret', 'clientSecret', 'password', 'dbPassword'],
    ['accessToken', 'access_token', 'refreshToken'],
    ['cookie', 'Set-Cookie'],
    ['arguments'],
  ].flat()

  test.each(names)('under the name %s, however deep, in arrays, in errors and in bindings', (name) => {
    const places = [
      { [name]: SECRET },
      { [name]: { deep: [SECRET] } },
      { req: { headers: { [name]: SECRET } } },
      { a: { b: { c: { d: { [name]: SECRET } } } } },
      { list: [{ [name]: SECRET }, [{ [name]: SECRET }]] },
      { err: Object.assign(new Error('refused'), { details: { inner: { [name]: SECRET } } }) },
    ]
    for (const place of places) {
      const line = written(place)
      expect(line).not.toContain(SECRET)
      expect(line).toContain('"[redacted]"')
    }
    const { lines, logger } = open()
    logger.child({ peer: { [name]: SECRET } }).info('hello')
    expect(lines.join('')).not.toContain(SECRET)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ peer: { [name]: '[redacted]' }, msg: 'hello' })
  })

  test.each(['Bearer', 'bearer', 'BEARER'])('that stands in a text after %s', (scheme) => {
    const cause = new Error(`header was "${scheme} ${SECRET}"`)
    const line = written(
      { note: `${scheme} ${SECRET}`, err: new Error('refused', { cause }) },
      `sent ${scheme} ${SECRET}`,
    )
    expect(line).not.toContain(SECRET)
    expect(JSON.parse(line)).toMatchObject({ msg: 'sent Bearer [redacted]', note: 'Bearer [redacted]' })
  })

  test('that stands in a URL before its host', () => {
    const line = written({ url: `redis://user:${SECRET}@host:6379/0` }, `cannot reach redis://:${SECRET}@host`)
    expect(JSON.parse(line)).toMatchObject({
      url: 'redis://[redacted]@host:6379/0',
      msg: 'cannot reach redis://[redacted]@host',
    })
  })

  test('and what is none stays as it was', () => {
    const fields = {
      tokenUsage: { totalTokens: 3 },
      argumentsCount: 2,
      tool: 'secretary',
      bearer: true,
      n: 1.5,
      x: null,
    }
    expect(JSON.parse(written(fields, 'the password was wrong'))).toMatchObject({
      ...fields,
      msg: 'the password was wrong',
    })
  })

  test('also where the logger is a child of a child, and the level is fatal', () => {
    const { lines, logger } = open()
    logger.child({ a: 1 }).child({ secret: SECRET }).fatal({ password: SECRET }, 'end')
    expect(lines.join('')).not.toContain(SECRET)
  })

  test('in any text that holds the access token of a run', () => {
    const runAccess = `shr_019b0000-0000-7000-8000-000000000001.2.${'aZ0_-'.repeat(8)}abc`
    const line = written({ text: `says x${runAccess}, twice ${runAccess}` }, `failed at ${runAccess}`)
    expect(line).not.toContain('aZ0')
    expect(JSON.parse(line)).toMatchObject({ text: 'says x[redacted], twice [redacted]', msg: 'failed at [redacted]' })
  })
})
