import { describe, expect, test } from '@jest/globals'
import { toolReasonOf } from '../../src/index.js'

describe('the reason that a tool gives for its failure', () => {
  test('is its first text, on one line', () => {
    const content = [
      { type: 'image', data: '' },
      { type: 'text', text: ' out of paper:\n  tray 2\n' },
      { type: 'text', text: 'more' },
    ]
    expect(toolReasonOf(content)).toBe('out of paper: tray 2')
  })

  test('is not known where there is no text', () => {
    expect(toolReasonOf(undefined)).toBeUndefined()
    expect(toolReasonOf([null, 'x', { type: 'text' }])).toBeUndefined()
  })

  test('is cut where it would fill a page', () => {
    expect(toolReasonOf([{ type: 'text', text: 'x'.repeat(70_000) }])).toBe(`${'x'.repeat(300)}…`)
  })
})
