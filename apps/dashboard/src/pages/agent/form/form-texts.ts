import { defineTexts } from '../../../language/texts.js'
import { COMPLAINTS_EN, COMPLAINTS_KO } from './complaints.js'
import { LIBRARY_EN, LIBRARY_KO } from './library-words.js'

/** Words of a tool's form: what is wrong, and what its library says. */
export const FORM_TEXTS = defineTexts(
  {
    complaints: COMPLAINTS_EN,
    library: LIBRARY_EN,
    arguments: 'Arguments',
    anyJson: 'JSON; anything else is taken as text.',
    brokenJson: 'This is not JSON yet.',
    brokenJsonAt: (line: string, column: string) => `This is not JSON yet: see line ${line}, character ${column}.`,
  },
  {
    complaints: COMPLAINTS_KO,
    library: LIBRARY_KO,
    arguments: '인수',
    anyJson: 'JSON으로 입력합니다. JSON이 아니면 텍스트로 봅니다.',
    brokenJson: '아직 올바른 JSON이 아닙니다.',
    brokenJsonAt: (line: string, column: string) => `아직 올바른 JSON이 아닙니다: ${line}번째 줄, ${column}번째 글자.`,
  },
)
