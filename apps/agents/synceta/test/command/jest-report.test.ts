import { describe, expect, test } from '@jest/globals'
import { JestReport } from '../../src/command/jest-report.js'
import { readReport } from './read-report.js'

const read = (text: string) => readReport((log) => new JestReport(log, '/shop'), text)
const document = (...testResults: readonly object[]) => JSON.stringify({ success: false, testResults })
const assertion = (title: string, status: string, more: object = {}) => ({
  ancestorTitles: ['sums'],
  title,
  status,
  ...more,
})

const FILES = [
  {
    name: '/shop/test/sum.test.js',
    status: 'failed',
    message: '',
    assertionResults: [
      assertion('adds', 'passed', { duration: 3 }),
      assertion('subtracts', 'failed', {
        duration: 5,
        failureMessages: ['Error: \u001b[31mexpected\u001b[39m 1'],
        failureDetails: [{}, { matcherResult: { expected: { a: 1 }, actual: [2] } }],
      }),
      assertion('divides', 'todo', { duration: null }),
    ],
  },
  { name: '/shop/test/broken.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] },
]

describe('the JSON of Jest', () => {
  test('tells of every case once it is whole, behind what a package manager prints', () => {
    const { cases, counted, failure } = read(`\n> shop@1.0.0 test\n> jest --json\n\n${document(...FILES)}\n`)
    expect(failure).toBeUndefined()
    expect(cases).toEqual([
      { name: 'test/sum.test.js › sums › adds', outcome: 'passed', durationMs: 3 },
      {
        name: 'test/sum.test.js › sums › subtracts',
        outcome: 'failed',
        durationMs: 5,
        expected: '{"a":1}',
        actual: '[2]',
        message: 'Error: expected 1',
      },
      { name: 'test/sum.test.js › sums › divides', outcome: 'skipped' },
      { name: 'test/broken.test.js', outcome: 'failed', message: 'Cannot find module' },
    ])
    expect(counted).toEqual([1, 2, 3, 4].map((at) => [at, 4]))
  })

  test('was no JSON for a last word of the package manager, or for a brace before it', () => {
    const { cases, failure } = read(`{ warn: old lockfile }\n${document(...FILES)}\nDone in 1.24s.\n`)
    expect(failure).toBeUndefined()
    expect(cases).toHaveLength(4)
  })

  test('broke the answer of the whole run when a clock was set back while a test ran', () => {
    const file = {
      ...FILES[0],
      status: 'passed',
      assertionResults: [assertion('adds', 'passed', { duration: -3_600_000 })],
    }
    expect(read(document(file)).cases).toEqual([{ name: 'test/sum.test.js › sums › adds', outcome: 'passed' }])
  })

  test.each([
    ['no JSON', 'no tests', 'its output is no JSON of Jest'],
    ['half of it', '{"testResults": [', 'its output begins like JSON and is none'],
    ['other JSON', '{"tests": []}', 'its output is no JSON of Jest: testResults'],
    ['a state that is none', document({ name: 'a', status: 'x', assertionResults: [assertion('a', 'odd')] }), 'status'],
    ['no test', '{"testResults": []}', 'it ran no test'],
    ['that it was interrupted', `{"wasInterrupted":true,${document(...FILES).slice(1)}`, 'its run was interrupted'],
  ])('is no verdict when it is %s', (_what, text, reason) => {
    expect(read(text).failure).toContain(reason)
  })
})
