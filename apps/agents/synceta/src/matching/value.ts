import { valueAtPointer } from '@synchub/protocol'
import type { BodyExpectation, ValueExpectation } from '../fixtures/fixture-case.js'
import { type CapturedValues, resolveTemplate } from '../fixtures/template.js'
import { showValue } from '../report/plain-text.js'
import { compare } from './comparison.js'
import type { Mismatch } from './mismatch.js'

/** Compares JSON with all that is expected of it. */
export function checkValue(
  { equals, includes, pointers = new Map(), schema }: ValueExpectation,
  actual: unknown,
  values: CapturedValues,
  place: string,
): Mismatch[] {
  const found: Mismatch[] = []
  if (equals !== undefined) found.push(...compare(resolveTemplate(equals, values), actual, 'equals', place))
  if (includes !== undefined) found.push(...compare(resolveTemplate(includes, values), actual, 'includes', place))
  for (const [pointer, template] of pointers) {
    found.push(...compare(resolveTemplate(template, values), valueAtPointer(pointer, actual), 'equals', place, pointer))
  }
  if (schema !== undefined && !schema(actual)) {
    const [error] = schema.errors ?? []
    found.push({
      place: `${place} ${error?.instancePath ?? ''}`.trim(),
      expected: error?.message ?? 'another value',
      actual: showValue(valueAtPointer(error?.instancePath ?? '', actual)),
    })
  }
  return found
}

/** Compares a body with all that is expected of it. */
export function checkBody(expected: BodyExpectation, body: Buffer, values: CapturedValues): Mismatch[] {
  const text = body.toString('utf8')
  const found: Mismatch[] = []
  if (expected.empty === true && body.length > 0) found.push({ place: 'body', expected: 'no byte', actual: text })
  if (expected.text !== undefined)
    found.push(...compare(resolveTemplate(expected.text, values), text, 'equals', 'body'))
  if (!hasValueExpectation(expected)) return found
  const json = parseJson(text)
  if (json === undefined)
    return [...found, { place: 'body', expected: 'JSON', actual: text === '' ? 'an empty body' : text }]
  return [...found, ...checkValue(expected, json.value, values, 'body')]
}

/** JSON in an object of its own; undefined where the text is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if ((error as Error).name === 'SyntaxError') return undefined
    throw error
  }
}

function hasValueExpectation({ equals, includes, pointers, schema }: ValueExpectation): boolean {
  return [equals, includes, pointers, schema].some((part) => part !== undefined)
}
