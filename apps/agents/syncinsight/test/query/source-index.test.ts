import { describe, expect, test } from '@jest/globals'
import { textOfPassage } from '../../src/documents/passage.js'
import { splitWords } from '../../src/language/words.js'
import { Pace } from '../../src/pace/pace.js'
import { SourceIndex } from '../../src/query/source-index.js'
import { indexOf, paceOf, passagesFrom } from '../source-fixture.js'

describe('SourceIndex', () => {
  test('finds a Korean word whatever particle it carries', async () => {
    const index = await indexOf('docs', '# A\n\n스키마가 바뀌면 허브가 거절한다.\n\n# B\n\n에이전트는 살아 있다.\n')
    const matches = await index.find(splitWords('스키마를'), paceOf())
    expect(matches.map(({ passage }) => passage.headings)).toEqual([['A']])
  })

  test('finds an English word in another form', async () => {
    const index = await indexOf('docs', '# A\n\nThe hub retries.\n\n# B\n\nNothing here.\n')
    const matches = await index.find(splitWords('retrying'), paceOf())
    expect(matches.map(({ passage }) => textOfPassage(passage))).toEqual(['The hub retries.'])
  })

  test('says which words each passage holds and puts the best first', async () => {
    const index = await indexOf('docs', '# A\n\nThe lease ends.\n\n# B\n\nThe lease of a worker.\n')
    const matches = await index.find(splitWords('lease worker'), paceOf())
    expect(matches.map(({ passage, words }) => [passage.headings[0], [...words]])).toEqual([
      ['B', [0, 1]],
      ['A', [0]],
    ])
  })

  test('finds by the heading too', async () => {
    const index = await indexOf('docs', '# Fencing\n\nAn older attempt is refused.\n')
    expect(await index.find(splitWords('fencing'), paceOf())).toHaveLength(1)
  })

  test('finds nothing for a word that is not there', async () => {
    const index = await indexOf('docs', 'The hub retries.')
    expect(await index.find(splitWords('zeppelin'), paceOf())).toEqual([])
  })

  test('stops learning new words at its bound and says so', async () => {
    const text = Array.from({ length: 50 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))}${index}`).join(
      ' ',
    )
    const index = await indexOf('docs', text, 10)
    expect(index.isFull).toBe(true)
    expect(index.frequencyOf('wordz25')).toBe(0)
  })

  test('stops between two passages when it is cancelled', async () => {
    const controller = new AbortController()
    const passages = passagesFrom('docs', '# A\n\none\n\n# B\n\ntwo\n')
    const build = SourceIndex.build('docs', passages, 100, new Pace(controller.signal), () => {
      controller.abort(new Error('enough'))
    })
    await expect(build).rejects.toThrow('enough')
  })
})
