import { isJsonObject } from '@synchub/protocol'
import { Placeholder } from '../fixtures/placeholder.js'
import { showValue } from '../report/plain-text.js'
import type { Mismatch } from './mismatch.js'

/** `equals`: nothing more and nothing less; `includes`: objects may have members that nothing is said of. */
export type ComparisonMode = 'equals' | 'includes'

/** More would not help a reader. */
const MAX_MISMATCHES = 20

/**
 * Compares JSON with what is expected of it, in which placeholders may stand. Arrays are of one length in both modes.
 * @param place - how the whole is called in what is found
 * @param pointer - where in it `actual` stands, as a JSON Pointer
 */
export function compare(
  expected: unknown,
  actual: unknown,
  mode: ComparisonMode,
  place: string,
  pointer = '',
): Mismatch[] {
  const found: Mismatch[] = []
  const add = (at: string, written: string, value: unknown) => {
    if (found.length < MAX_MISMATCHES)
      found.push({ place: at === '' ? place : `${place} ${at}`, expected: written, actual: showValue(value) })
  }
  walk(expected, actual, mode, pointer, add)
  return found
}

type Add = (pointer: string, expected: string, actual: unknown) => void

function walk(expected: unknown, actual: unknown, mode: ComparisonMode, at: string, add: Add): void {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) walk(item, actual[index], mode, `${at}/${index}`, add)
  } else if (isPlain(expected) && isPlain(actual)) {
    for (const member of memberNames(expected, actual, mode)) {
      const inside = `${at}/${escapeStep(member)}`
      if (!Object.hasOwn(expected, member)) add(inside, 'absent', actual[member])
      else walk(expected[member], Object.hasOwn(actual, member) ? actual[member] : undefined, mode, inside, add)
    }
  } else if (!isSame(expected, actual)) {
    add(at, expected instanceof Placeholder ? expected.toJSON() : showValue(expected), actual)
  }
}

function memberNames(expected: object, actual: object, mode: ComparisonMode): string[] {
  return mode === 'equals' ? [...new Set([...Object.keys(expected), ...Object.keys(actual)])] : Object.keys(expected)
}

function isSame(expected: unknown, actual: unknown): boolean {
  return expected instanceof Placeholder ? expected.accepts(actual) : expected === actual
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && !(value instanceof Placeholder)
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}
