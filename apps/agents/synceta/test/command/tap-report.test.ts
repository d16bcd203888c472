import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { TapReport } from '../../src/command/tap-report.js'
import { readReport } from './read-report.js'

const read = (text: string, pieceBytes?: number) => readReport((log) => new TapReport(log), text, pieceBytes)

const DETAILED = `TAP version 14
1..3
ok 1 - adds 한글
ok 2 - waits # SKIP not today
not ok 3 - subtracts
  ---
  message: wrong
  expected: {a: 1}
  found: [2]
  ...
`

const NESTED = `TAP version 13
# Subtest: group
    # Subtest: one
    ok 1 - one
      ---
      duration_ms: 1.5
      ...
    not ok 2 - two
    1..2
not ok 1 - group
# Subtest: hooks
    ok 1 - inside
    1..1
not ok 2 - hooks
  ---
  error: the last hook threw
  ...
not ok 3 - later # TODO
1..3
`

describe('a report in TAP', () => {
  test('tells of each test point, with what is said of a failure', () => {
    const { cases, counted, failure } = read(DETAILED)
    expect(failure).toBeUndefined()
    expect(cases).toEqual([
      { name: 'adds 한글', outcome: 'passed' },
      { name: 'waits', outcome: 'skipped', message: 'not today' },
      { name: 'subtracts', outcome: 'failed', expected: '{"a":1}', actual: '[2]', message: 'wrong' },
    ])
    expect(counted).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  test('says the same however its bytes are cut', () => {
    const whole = read(DETAILED + NESTED.replace(/^.*\n/, '').replace('1..3\n', ''), 100_000)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), (pieceBytes) => {
        expect(read(DETAILED + NESTED.replace(/^.*\n/, '').replace('1..3\n', ''), pieceBytes)).toEqual(whole)
      }),
      { numRuns: 40 },
    )
  })

  test('counts the leaves of subtests, and a group only where it fails by itself', () => {
    const { cases, counted } = read(NESTED)
    expect(cases).toEqual([
      { name: 'group > one', outcome: 'passed', durationMs: 1.5 },
      { name: 'group > two', outcome: 'failed' },
      { name: 'hooks > inside', outcome: 'passed' },
      { name: 'hooks', outcome: 'failed', message: 'the last hook threw' },
      { name: 'later', outcome: 'skipped' },
    ])
    expect(counted.map(([, total]) => total)).toEqual(Array(5).fill(undefined))
  })

  test.each([
    ['nothing at all', '', 'its output is no TAP'],
    ['something else', 'All tests passed!\n', 'its output is no TAP'],
    ['no plan', 'ok 1\nok 2\n', 'its TAP broke off after 2 cases: there is no plan'],
    ['fewer tests than planned', '1..3\nok 1\n', 'its TAP is not complete: 3 tests were planned, 1 came'],
    ['more tests than planned', '1..1\nok 1\nok 2\n', 'its TAP is not complete: 1 tests were planned, 2 came'],
    ['that it bails out', '1..3\nok 1\nBail out! no database\n', 'it bailed out: no database'],
    ['that a subtest bails out', '# Subtest: a\n    1..2\n    ok 1\n    Bail out! gone\n', 'it bailed out: gone'],
    ['too many tests', `1..51\n${'ok\n'.repeat(51)}`, 'the suite has more than 50 cases'],
    ['a line without an end', `1..1\nok 1 ${'x'.repeat(1_100_000)}`, 'its output has a line of over'],
  ])('is no verdict when it says %s', (_what, text, reason) => {
    expect(read(text, 65_536).failure).toContain(reason)
  })

  test.each([
    ['1..0 # SKIP no database here\n', []],
    ['1..1\nok 1', [{ name: 'test 1', outcome: 'passed' }]],
    ['1..1\r\nok 1 - with CRLF\r\n', [{ name: 'with CRLF', outcome: 'passed' }]],
    ['npm noise\nok 1\nmore noise\n1..1\n', [{ name: 'test 1', outcome: 'passed' }]],
  ])('is whole as %j', (text, cases) => {
    expect(read(text)).toMatchObject({ failure: undefined, cases })
  })

  test.each(['-1', '.nan', '.inf'])('broke the answer of the whole run with a duration of %s', (duration) => {
    const { cases, failure } = read(`1..1\nok 1 - adds\n  ---\n  duration_ms: ${duration}\n  ...\n`)
    expect(failure).toBeUndefined()
    expect(cases).toEqual([{ name: 'adds', outcome: 'passed' }])
  })
})
