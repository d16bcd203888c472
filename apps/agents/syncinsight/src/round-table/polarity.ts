/** Which way a sentence points. */
export interface Polarity {
  /** True for an odd number of negations. */
  readonly isNegated: boolean
  /** For each pair of opposites that the sentence uses: which side. */
  readonly sides: ReadonlyMap<string, string>
  /** The sentence without negations and opposites: its subject. */
  readonly rest: string
}

const NEGATION =
  /\b(?:not|never|no|none|neither|nor|without|cannot|nothing|nobody|nowhere)\b|\b(?:do|does|did|is|are|was|were|has|have|had|can|could|should|would|must|wo|need)n['’]t\b|[가-힣]*(?:않|없|못하|못한|아니|아닌|말아)[가-힣]*/giu

/** Pairs of words that exclude each other when they are said of the same thing. */
const OPPOSITES: readonly (readonly [string, RegExp, RegExp])[] = [
  ['enabled/disabled', /\benabl(?:e|es|ed|ing)\b/giu, /\bdisabl(?:e|es|ed|ing)\b/giu],
  [
    'allowed/refused',
    /\b(?:allow(?:s|ed)?|permit(?:s|ted)?|accept(?:s|ed)?)\b/giu,
    /\b(?:forbid(?:s|den)?|refus(?:e|es|ed)|den(?:y|ies|ied)|reject(?:s|ed)?|block(?:s|ed)?|disallow(?:s|ed)?)\b/giu,
  ],
  ['required/optional', /\b(?:required|mandatory|compulsory)\b/giu, /\boptional\b/giu],
  ['synchronous/asynchronous', /\bsync(?:hronous(?:ly)?)?\b/giu, /\basync(?:hronous(?:ly)?)?\b/giu],
  ['minimum/maximum', /\b(?:minimum|at least)\b/giu, /\b(?:maximum|at most)\b/giu],
  ['increase/decrease', /\b(?:increas(?:e|es|ed)|rais(?:e|es|ed))\b/giu, /\b(?:decreas(?:e|es|ed)|lower(?:s|ed))\b/giu],
  ['true/false', /\btrue\b/giu, /\bfalse\b/giu],
  ['활성/비활성', /(?<!비)활성[가-힣]*/gu, /비활성[가-힣]*/gu],
  ['동기/비동기', /(?<!비)동기(?:식|적|로|화)?[가-힣]*/gu, /비동기[가-힣]*/gu],
  ['허용/거부', /허용[가-힣]*|승인[가-힣]*/gu, /금지[가-힣]*|거부[가-힣]*|차단[가-힣]*|거절[가-힣]*/gu],
  ['필수/선택', /필수[가-힣]*/gu, /선택\s?(?:사항|적)[가-힣]*/gu],
  ['최소/최대', /최소[가-힣]*/gu, /최대[가-힣]*/gu],
  ['증가/감소', /증가[가-힣]*/gu, /감소[가-힣]*/gu],
]

/** Reads negations and opposites of a sentence in English or Korean. */
export function readPolarity(sentence: string): Polarity {
  const sides = new Map<string, string>()
  let rest = sentence
  for (const [name, one, other] of OPPOSITES) {
    const ones = sentence.match(one)
    const others = sentence.match(other)
    const [first, second] = name.split('/')
    // A sentence that names both sides tells them apart and takes none.
    if (ones !== null && others === null) sides.set(name, first ?? '')
    else if (ones === null && others !== null) sides.set(name, second ?? '')
    if (ones !== null || others !== null) rest = rest.replaceAll(other, ' ').replaceAll(one, ' ')
  }
  const negations = rest.match(NEGATION)?.length ?? 0
  return { isNegated: negations % 2 === 1, sides, rest: rest.replaceAll(NEGATION, ' ') }
}
