import { describe, expect, test } from '@jest/globals'
import { parseQuestion, type Question } from '../../src/query/question.js'
import { rankAnswers } from '../../src/query/ranking.js'
import type { SourceIndex } from '../../src/query/source-index.js'
import { indexOf, paceOf } from '../source-fixture.js'

function question(text: string): Question {
  const parsed = parseQuestion(text)
  if (parsed === undefined) throw new Error('no question')
  return parsed
}

async function rank(text: string, indexes: readonly SourceIndex[], maxFindings = 10) {
  const asked = question(text)
  const answers = []
  for (const index of indexes) answers.push({ index, matches: await index.find(asked.words, paceOf()) })
  return rankAnswers(asked, answers, maxFindings)
}

const ASKED = 'Which worker holds the lease of a run?'

describe('rankAnswers', () => {
  test('puts passages with more of the rare words first, over all sources', async () => {
    const docs = await indexOf('docs', '# A\n\nA worker holds the lease of a run.\n\n# B\n\nA run has a worker.\n')
    const notes = await indexOf('notes', '# C\n\nThe lease of a run belongs to one worker.\n')
    const { findings } = await rank(ASKED, [docs, notes])
    expect(findings.map(({ passage }) => passage.headings[0])).toEqual(['A', 'C', 'B'])
    const relevances = findings.map(({ relevance }) => relevance)
    expect(relevances).toEqual(relevances.toSorted((one, other) => other - one))
    for (const relevance of relevances) expect(relevance).toBeLessThanOrEqual(1)
  })

  test('leaves out what holds too few words of the question', async () => {
    const docs = await indexOf('docs', '# A\n\nA run ends.\n')
    expect(await rank(ASKED, [docs])).toMatchObject({ findings: [], candidateCount: 0 })
  })

  test('merges one text that lies in several places, whatever its spacing and case', async () => {
    const docs = await indexOf('docs', 'A worker holds\nthe lease of a run.')
    const notes = await indexOf('notes', 'A worker  holds the LEASE of a run.')
    const { findings } = await rank(ASKED, [docs, notes])
    expect(findings).toHaveLength(1)
    expect(findings[0]?.duplicates.map(({ origin }) => origin.source)).toEqual(['notes'])
  })

  test('names the first few of very many places and counts the rest', async () => {
    const docs = await indexOf(
      'docs',
      Array.from({ length: 9 }, (_, at) => `# ${at}\n\nA worker holds the lease.\n`).join('\n'),
    )
    const { findings } = await rank(ASKED, [docs])
    expect(findings).toMatchObject([{ duplicateCount: 8 }])
    expect(findings[0]?.duplicates).toHaveLength(5)
  })

  test('keeps a place for each source that has an answer', async () => {
    const many = Array.from(
      { length: 20 },
      (_, index) => `# ${index}\n\nWorker ${index} holds the lease of run ${index}.\n`,
    )
    const docs = await indexOf('docs', many.join('\n'))
    const notes = await indexOf(
      'notes',
      'Somebody holds a lease, as far as we know, but nobody knows who that may be today.',
    )
    const { findings, candidateCount } = await rank(ASKED, [docs, notes], 3)
    expect(findings).toHaveLength(3)
    expect(candidateCount).toBe(21)
    expect(findings.map(({ passage }) => passage.origin.source)).toContain('notes')
  })

  test('gives no more than was asked for', async () => {
    const sources = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => indexOf(name, `${name} worker holds the lease of a run`)),
    )
    expect((await rank(ASKED, sources, 2)).findings).toHaveLength(2)
  })

  test('names the words of the question that no source holds', async () => {
    const docs = await indexOf('docs', 'A worker holds the lease.')
    expect((await rank('Does the zeppelin worker hold the lease?', [docs])).unknownWords).toEqual(['zeppelin'])
  })

  test('ranks the same sources the same way each time', async () => {
    const text = Array.from(
      { length: 9 },
      (_, index) => `# ${index}\n\nThe worker holds the lease.${' '.repeat(index)}x${index}\n`,
    )
    const first = await rank(ASKED, [await indexOf('docs', text.join('\n'))])
    const second = await rank(ASKED, [await indexOf('docs', text.join('\n'))])
    expect(second).toEqual(first)
  })
})
