import { describe, expect, test } from '@jest/globals'
import { parseDocComments } from '../../src/documents/doc-comments.js'
import { cpuTimeOf } from '../cpu-time.js'

const SOURCE = `import { x } from './x.js'
/** How long a lease lasts, in {@link Milliseconds | milliseconds}. */
export const leaseDurationMs = 10_000
/**
 * Claims a run
 * for one worker.
 *
 * A second worker waits.
 * @throws LeaseError when the lease has moved on
 */
export async function claimRun(): Promise<void> {
  /* no comment for readers */
  // neither
  const text = '/** not at the start of a line */'
}
interface Lease {
  /** Who holds it. */
  readonly owner: string
}
`

describe('parseDocComments', () => {
  test('gives the comments of declarations and members, and no code', () => {
    expect([...parseDocComments(SOURCE)]).toEqual([
      {
        kind: 'prose',
        text: 'How long a lease lasts, in milliseconds.',
        startLine: 2,
        endLine: 2,
        headings: ['leaseDurationMs'],
      },
      { kind: 'prose', text: 'Claims a run\nfor one worker.', startLine: 5, endLine: 6, headings: ['claimRun'] },
      { kind: 'prose', text: 'A second worker waits.', startLine: 8, endLine: 8, headings: ['claimRun'] },
      {
        kind: 'prose',
        text: '@throws LeaseError when the lease has moved on',
        startLine: 9,
        endLine: 9,
        headings: ['claimRun'],
      },
      { kind: 'prose', text: 'Who holds it.', startLine: 17, endLine: 17, headings: ['owner'] },
    ])
  })

  test('ends a comment on its own line, whatever follows there', () => {
    expect([...parseDocComments('/** A. */ const a = 1\nconst b = 2\n')]).toMatchObject([{ text: 'A.' }])
  })

  test.each(['{@link ', '{@link a', '/** ', ' * * ', 'readonly '])(
    'ends quickly on a line of %j',
    (piece) => {
      const text = `/**\n${piece}${' '.repeat(300_000)}\n${piece.repeat(50_000)}\n*/\n${piece.repeat(50_000)}`
      expect(cpuTimeOf(() => [...parseDocComments(text)])).toBeLessThan(2_000)
    },
    60_000,
  )

  test('ignores a comment that never ends', () => {
    expect([...parseDocComments('/** never\n * ends')]).toEqual([])
  })
})
