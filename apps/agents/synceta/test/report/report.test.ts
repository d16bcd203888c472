import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import MarkdownIt from 'markdown-it'
import { listCases } from '../../src/report/listed-cases.js'
import { RedactedTail } from '../../src/report/redacted-tail.js'
import { createRedaction } from '../../src/report/redaction.js'
import { writeReport } from '../../src/report/report.js'
import { ReportStore, reportIdOf } from '../../src/report/report-store.js'
import { describeDuration } from '../../src/report/summary.js'
import type { CaseResult } from '../../src/run/case-result.js'
import { makeFolder, removeFolders } from '../temporary-folder.js'

afterEach(removeFolders)

const HOSTILE = [
  '<script>alert(1)</script>',
  '[click](javascript:alert(1)) ![x](https://evil.test/x.png)',
  'https://evil.test www.evil.test a@evil.test',
  '```\n<img src=x onerror=alert(1)>\n```\n~~~~\n# Heading',
  '\u001b[31mred\u001b[0m \u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007 \u0000\u0007\u009b31m',
  'abc\u202Ecod.exe \u200B\u{E0041}',
  '    indented\n| a | b |\n|---|---|\n> quote\n- list\n---',
  '&lt;b&gt; &#60;i&#62; \\<u>',
]

const report = (cases: readonly CaseResult[], more: object = {}) =>
  writeReport({
    reportId: 'rep-0123456789abcdef',
    writtenAt: new Date(0),
    result: {
      suite: 'api',
      outcome: 'failed',
      remarks: [],
      counts: { total: cases.length, passed: 0, failed: cases.length, skipped: 0 },
      durationMs: 1_234,
      cases,
      ...more,
    },
  })

describe('a report', () => {
  test.each(HOSTILE)('shows %j as the text that it is, in names, values and reasons', (text) => {
    const failed = { name: text, outcome: 'failed', expected: text, actual: text, message: text } as const
    const skipped = { name: text, outcome: 'skipped', message: text } as const
    const markdown = report([failed, skipped], { reason: text, remarks: [text] })
    const html = new MarkdownIt({ html: true, linkify: true }).render(markdown)
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag))
    expect([...tags].filter((tag) => !['h1', 'h2', 'h3', 'p', 'ul', 'li', 'pre', 'code'].includes(tag ?? ''))).toEqual(
      [],
    )
    expect(html.match(/<h[123]>/g)).toHaveLength(5)
    expect(markdown).not.toMatch(/[^\P{Cc}\n]|[\u202E\u200B]|\u{E0041}/u)
  })

  test('has all that is known of a failure, and lists every case', () => {
    const markdown = report([
      { name: 'adds', outcome: 'passed', durationMs: 12 },
      { name: 'subtracts', outcome: 'failed', durationMs: 5, expected: '1', actual: '2', message: 'body: not so' },
      { name: 'divides', outcome: 'skipped', message: 'not today' },
    ])
    expect(markdown).toContain('### 1. subtracts\n\nExpected:\n\n```text\n1\n```\n\nActual:\n\n```text\n2\n```')
    expect(markdown).toContain('- passed: adds (12 ms)\n- failed: subtracts (5 ms)\n- skipped: divides: not today\n')
    expect(markdown).toContain('- Duration: 1.2 s')
  })

  test('is bounded', () => {
    const many = Array.from(
      { length: 3_000 },
      (_, at) => ({ name: `case ${at}`, outcome: 'failed', message: 'm' }) as const,
    )
    const markdown = report(many)
    expect(markdown).toContain('2900 more cases failed; they are in the list below.')
    expect(markdown).toContain('- and 1000 more')
  })
})

describe('the cases of an answer', () => {
  const many = Array.from(
    { length: 100 },
    (_, at): CaseResult => ({ name: `${at}`, outcome: at % 10 === 9 ? 'failed' : 'passed' }),
  )

  test('are all there where they fit', () => {
    expect(listCases(many, 1_000_000)).toEqual({ cases: many, truncated: false })
  })

  test('are those that failed before others where not all fit, in their order', () => {
    const { cases, truncated } = listCases(many, 500)
    expect(truncated).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(cases))).toBeLessThanOrEqual(501)
    expect(cases.filter(({ outcome }) => outcome === 'failed')).toHaveLength(10)
    expect(cases.map(({ name }) => Number(name))).toEqual(
      cases.map(({ name }) => Number(name)).toSorted((a, b) => a - b),
    )
  })
})

describe('the redaction', () => {
  test('takes secrets out as they are, in JSON and in URLs, the longest first', () => {
    const redact = createRedaction(['key"1', 'key"1-long', 'a b+c', 'ab', ''])
    expect(redact('key"1-long key\\"1 a%20b%2Bc ab')).toBe('[redacted] [redacted] [redacted] ab')
  })

  test('finds a secret of several lines also where they were written on one', () => {
    expect(createRedaction(['one\r\ntwo  three'])('a one two three b one\ntwo  three c')).toBe(
      'a [redacted] b [redacted] c',
    )
  })

  test.each([1, 2, 3, 5, 7, 20])('leaves no half of a secret at the beginning of a tail, read by %i bytes', (size) => {
    const secret = '비밀-hush-비밀'
    for (let padding = 0; padding < 40; padding += 1) {
      const tail = new RedactedTail([secret, 'hu'], 20)
      const bytes = Buffer.from(`${'x'.repeat(30)}${secret.repeat(3)}${'.'.repeat(padding)}`)
      for (let at = 0; at < bytes.length; at += size) tail.add(bytes.subarray(at, at + size))
      expect(tail.toString()).not.toMatch(/[비밀hus]/)
      expect(tail.toString().length).toBeLessThanOrEqual(20)
    }
  })
})

describe('the store of reports', () => {
  test('writes whole reports, replaces the one of an earlier attempt, and removes the oldest', async () => {
    const folder = join(await makeFolder(), 'reports')
    const store = new ReportStore(folder, 2)
    const ids = ['one', 'two', 'three'].map(reportIdOf)
    for (const [age, id] of ids.entries()) {
      await store.write(id, `report ${age}`)
      await utimes(join(folder, `${id}.md`), age, age)
    }
    await store.write(ids[2] ?? '', 'the second attempt')
    expect((await readdir(folder)).toSorted()).toEqual([`${ids[1]}.md`, `${ids[2]}.md`].toSorted())
    expect(await readFile(join(folder, `${ids[2]}.md`), 'utf8')).toBe('the second attempt')
  })

  test('lets nothing of a callId get into a file name', () => {
    expect(reportIdOf('../../etc/passwd')).toMatch(/^rep-[0-9a-f]{16}$/)
    expect(reportIdOf('a')).not.toBe(reportIdOf('b'))
  })
})

describe('a duration', () => {
  test.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [125_000, '2 min 5 s'],
  ])('of %d ms reads %s', (durationMs, text) => {
    expect(describeDuration(durationMs)).toBe(text)
  })
})
