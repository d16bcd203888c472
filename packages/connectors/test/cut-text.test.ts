import { expect, test } from '@jest/globals'
import { cutText } from '../src/answer/cut-text.js'

test.each([
  ['short', 'short'],
  ['1234567890', '1234567890'],
  ['what is said', 'what is ...'],
  ['key sesame-open', 'key ...'],
  ['sesame-open-12345', '...'],
  ['1234567890 more', '1234567890...'],
])('a text is cut between words, since half of a secret could not be masked: %s', (text, cut) => {
  expect(cutText(text, 10)).toBe(cut)
})
