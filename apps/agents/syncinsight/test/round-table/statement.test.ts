import { describe, expect, test } from '@jest/globals'
import { statementsOf } from '../../src/round-table/statement.js'
import { passagesFrom } from '../source-fixture.js'

const statements = (text: string) => passagesFrom('docs', text).flatMap(statementsOf)

describe('statementsOf', () => {
  test('gives each sentence with the very lines that it stands on', () => {
    const text = '# A\n\nThe hub keeps\nevery event. A watcher\nreads them in order.\n'
    expect(statements(text)).toMatchObject([
      { text: 'The hub keeps every event.', startLine: 3, endLine: 4, headings: ['A'] },
      { text: 'A watcher reads them in order.', startLine: 4, endLine: 5 },
    ])
  })

  test('makes none of questions, fragments, code and the head of a table', () => {
    const text =
      'Does the hub keep every event?\n\nYes.\n\nThe hub keeps every event of these:\n\n```\nThe hub keeps every event.\n```\n\n|the kept event|of the hub|\n|-|-|\n'
    expect(statements(text)).toEqual([])
  })

  test('makes one of a table row', () => {
    expect(statements('|name|value|\n|-|-|\n|body limit of a request|4 MiB|\n')).toMatchObject([
      { text: 'body limit of a request | 4 MiB', startLine: 3 },
    ])
  })
})
