import { readPointer } from './json-pointer.js'

/** What a checker of JSON Schemas reports of one keyword that is not kept, in the form that ajv gives it. */
export interface SchemaFault {
  readonly keyword: string
  /** JSON Pointer to the value that was checked. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  readonly propertyName?: string
}

/** What is wrong with a value: the place in it and what was expected there (S2). */
export interface Violation {
  /** `fields.0.type`; empty for the value itself. */
  readonly path: string
  readonly expected: string
  /** One sentence, e.g. `city must be a string`. */
  readonly reason: string
}

/** A violation whose sentence is also there without its subject: `must be a string`. */
export interface ExplainedViolation extends Violation {
  readonly claim: string
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf'])
const COMPARISONS = new Set(['type', 'enum', 'const'])
const MAX_SHOWN_VALUES = 20
/** What ajv counts, in the singular. */
const ONE_OF: Readonly<Record<string, string>> = { characters: 'character', items: 'item', properties: 'property' }

/**
 * Says what the errors of one failed check mean. ajv stops at the first keyword that fails; where that keyword holds schemas, its
 * own error stands last, after those of its parts.
 */
export function explainErrors(errors: readonly SchemaFault[]): ExplainedViolation {
  const outermost = errors.at(-1)
  if (outermost === undefined) return withSubject('', 'a valid value', 'is not valid')
  if (ALTERNATIVES.has(outermost.keyword)) return explainAlternatives(errors, outermost)
  if (outermost.keyword === 'contains') return explainError(outermost)
  if (outermost.keyword === 'if') return explainErrors(errors.slice(0, -1))
  return explainError(errors[0] ?? outermost)
}

/** The value fits no alternative: the ones that it came closest to, and nothing where that would be a guess. */
function explainAlternatives(errors: readonly SchemaFault[], outermost: SchemaFault): ExplainedViolation {
  const parts = errors.filter(({ keyword }) => !ALTERNATIVES.has(keyword))
  const deepest = Math.max(0, ...parts.map((part) => namesOf(part).length))
  const [first, ...others] = parts.filter((part) => namesOf(part).length === deepest)
  const place = pathOf(outermost)
  if (first === undefined || Array.isArray(outermost.params.passingSchemas)) {
    return withSubject(
      place,
      'exactly one of its alternatives',
      'must keep exactly one of the alternatives of its schema',
    )
  }
  if (others.length === 0) return explainError(first)
  const samePlace = others.every(({ instancePath }) => instancePath === first.instancePath)
  if (samePlace && [first, ...others].every(({ keyword }) => COMPARISONS.has(keyword))) {
    const join = (texts: readonly string[]) => [...new Set(texts)].join(' or ')
    const all = [first, ...others]
    return withSubject(pathOf(first), join(all.map(expectedBy)), `must be ${join(all.map(nounOf))}`)
  }
  return withSubject(place, 'one of its alternatives', 'must keep one of the alternatives of its schema')
}

function explainError(error: SchemaFault): ExplainedViolation {
  const path = pathOf(error)
  if (missingName(error) !== undefined) return withQuotedSubject(path, 'a value', 'is required')
  if (extraName(error) !== undefined) return withQuotedSubject(path, 'no such property', 'is not a known property')
  const expected = expectedBy(error)
  const claim = claimOf(error)
  if (error.propertyName === undefined) return withSubject(path, expected, claim)
  return withQuotedSubject(path, expected, `is no allowed name: it ${claim}`)
}

function missingName({ params }: SchemaFault): string | undefined {
  return textOf(params.missingProperty)
}

function extraName({ params }: SchemaFault): string | undefined {
  return textOf(params.additionalProperty) ?? textOf(params.unevaluatedProperty)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The place of an error; a name that is missing, unknown or not allowed stands at its end. */
function namesOf(error: SchemaFault): readonly string[] {
  const name = missingName(error) ?? extraName(error) ?? error.propertyName
  return [...readPointer(error.instancePath), ...(name === undefined ? [] : [name])]
}

function expectedBy({ keyword, params, message }: SchemaFault): string {
  if (keyword === 'type') return String(params.type).replaceAll(',', ' or ')
  if (keyword === 'enum') return `one of ${showValues(Array.isArray(params.allowedValues) ? params.allowedValues : [])}`
  if (keyword === 'const') return JSON.stringify(params.allowedValue)
  if (keyword === 'pattern') return `text that matches ${String(params.pattern)}`
  return plainMessage(message).replace(/^must (be |have )?/, '')
}

function claimOf(error: SchemaFault): string {
  const isNoun = COMPARISONS.has(error.keyword) || error.keyword === 'pattern'
  return isNoun ? `must be ${nounOf(error)}` : plainMessage(error.message)
}

/** What was expected as the noun of a sentence: `a string or null`. */
function nounOf(error: SchemaFault): string {
  const expected = expectedBy(error)
  return error.keyword === 'type' ? expected.split(' or ').map(withArticle).join(' or ') : expected
}

/** ajv's words, with its bounds turned round: what is wanted is plainer than what is not. */
function plainMessage(message: string | undefined): string {
  return (message ?? 'must be valid')
    .replace(/must NOT have (fewer|more) than (\d+) (\w+)/, (_, side, count, things) => {
      const noun = count === '1' ? (ONE_OF[things] ?? things) : things
      return `must have at ${side === 'fewer' ? 'least' : 'most'} ${count} ${noun}`
    })
    .replace('must NOT', 'must not')
}

function showValues(values: readonly unknown[]): string {
  const shown = JSON.stringify(values.slice(0, MAX_SHOWN_VALUES))
  return values.length > MAX_SHOWN_VALUES ? `${shown} and ${values.length - MAX_SHOWN_VALUES} more` : shown
}

function withArticle(expected: string): string {
  if (expected === 'null') return expected
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
}

function pathOf(error: SchemaFault): string {
  return namesOf(error).join('.')
}

function withSubject(path: string, expected: string, claim: string): ExplainedViolation {
  return { path, expected, claim, reason: `${path === '' ? 'the value' : path} ${claim}` }
}

function withQuotedSubject(path: string, expected: string, claim: string): ExplainedViolation {
  return { path, expected, claim, reason: `'${path}' ${claim}` }
}
