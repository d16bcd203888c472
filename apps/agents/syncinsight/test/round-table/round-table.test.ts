import { describe, expect, test } from '@jest/globals'
import { Pace } from '../../src/pace/pace.js'
import { chooseClaims } from '../../src/round-table/claim.js'
import { RoundTable } from '../../src/round-table/round-table.js'
import { indexOf, paceOf, passagesFrom, statementOf } from '../source-fixture.js'

const claim = (text: string, source = 'docs') => ({ statement: statementOf(text, source), finding: 0 })
const CLAIM = 'A lease lasts 10 seconds by default.'

describe('RoundTable', () => {
  test('hears every other source and gives a verdict', async () => {
    const indexes = [
      await indexOf('docs', CLAIM),
      await indexOf('notes', 'By default a lease lasts 10 s.'),
      await indexOf('wiki', 'Somebody said that a lease lasts 5 seconds by default.'),
      await indexOf('news', 'Nothing about it.'),
    ]
    const discussion = await new RoundTable(indexes, paceOf()).discuss(claim(CLAIM))
    expect(discussion).toMatchObject({
      verdict: 'contested',
      positions: [
        { source: 'notes', relation: 'supports' },
        { source: 'wiki', relation: 'contradicts', reason: 'says “5 seconds” where the claim says “10 seconds”' },
        { source: 'news', relation: 'silent' },
      ],
    })
  })

  test('calls a claim agreed when another source says it and none speaks against it', async () => {
    const indexes = [await indexOf('docs', CLAIM), await indexOf('notes', 'By default a lease lasts 10 s.')]
    expect(await new RoundTable(indexes, paceOf()).discuss(claim(CLAIM))).toMatchObject({ verdict: 'agreed' })
  })

  test('calls a claim that only one source makes by that name', async () => {
    const indexes = [await indexOf('docs', CLAIM), await indexOf('notes', 'The hub is written in TypeScript.')]
    expect(await new RoundTable(indexes, paceOf()).discuss(claim(CLAIM))).toMatchObject({ verdict: 'single_source' })
    expect(await new RoundTable([indexes[0] ?? fail()], paceOf()).discuss(claim(CLAIM))).toMatchObject({
      verdict: 'single_source',
      positions: [],
    })
  })

  test('does not count one file under two names as two voices', async () => {
    const passages = passagesFrom('docs', CLAIM)
    const again = passages.map((passage) => ({ ...passage, origin: { ...passage.origin, source: 'everything' } }))
    const indexes = [await indexOf('docs', passages), await indexOf('everything', again)]
    const statement = claim(CLAIM)
    expect(await new RoundTable(indexes, paceOf()).discuss(statement)).toMatchObject({ verdict: 'single_source' })
  })

  test('does not repeat a discussion from the other side', async () => {
    const other = 'By default a lease lasts 10 s.'
    const table = new RoundTable([await indexOf('docs', CLAIM), await indexOf('notes', other)], paceOf())
    expect(await table.discuss(claim(CLAIM))).toBeDefined()
    expect(await table.discuss(claim(other, 'notes'))).toBeUndefined()
  })

  test('stops when it is cancelled', async () => {
    const indexes = [await indexOf('docs', CLAIM), await indexOf('notes', CLAIM)]
    const table = new RoundTable(indexes, new Pace(AbortSignal.abort(new Error('enough'))))
    await expect(table.discuss(claim(CLAIM))).rejects.toThrow('enough')
  })
})

describe('chooseClaims', () => {
  const words = [{ surface: 'lease', terms: ['leas'] }]
  const finding = (text: string) => {
    const [passage] = passagesFrom('docs', text)
    if (passage === undefined) throw new Error('no passage')
    return { passage, relevance: 1, matchedWords: [], duplicates: [], duplicateCount: 0 }
  }

  test('takes the statements that bear on the question, each text once', () => {
    const findings = [finding(`${CLAIM} The hub is written in TypeScript.`), finding(CLAIM)]
    const claims = chooseClaims({ text: 'lease?', words }, findings)
    expect(claims.map(({ statement, finding: place }) => [statement.text, place])).toEqual([[CLAIM, 0]])
  })

  test('takes at most three of one finding', () => {
    const text = ['one', 'two', 'three', 'four'].map((name) => `The ${name} lease belongs to a worker.`).join(' ')
    expect(chooseClaims({ text: 'lease?', words }, [finding(text)])).toHaveLength(3)
  })
})

function fail(): never {
  throw new Error('there is no index')
}
