import { JSON_POINTER, type JsonObject, valueAtPointer } from '@synchub/protocol'
import { invalidPlan } from './invalid-plan.js'

/** A place in arguments that stands for a value of another step's result. */
export interface Reference {
  /** Where it stands, e.g. `steps.1.arguments.question`. */
  readonly path: string
  /** The step whose result it takes. */
  readonly from: string
}

/** Deepest nesting of a step's arguments; the hub's own bound is for the whole request around them. */
const MAX_DEPTH = 32
/** Each may bring a result of a megabyte into the request. */
const MAX_REFERENCES = 16
const MARK = '$from'

/**
 * Finds the references in the arguments of a step. An object with the member `$from` is one and nothing else.
 * @throws ToolError INVALID_PARAMS for one that is not whole, for too many, and for arguments that nest too deep
 */
export function findReferences(args: JsonObject, path: string): readonly Reference[] {
  const found: Reference[] = []
  const look = (value: unknown, place: string, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    if (depth > MAX_DEPTH) throw invalidPlan(place, `nested at most ${MAX_DEPTH} deep`, 'send flatter arguments')
    if (isMarked(value)) found.push({ path: place, from: readReference(value, place).from })
    else for (const [name, member] of Object.entries(value)) look(member, `${place}.${name}`, depth + 1)
  }
  look(args, path, 1)
  const first = found[MAX_REFERENCES]
  if (first === undefined) return found
  throw invalidPlan(
    first.path,
    `one of at most ${MAX_REFERENCES} references of a step`,
    'refer to larger parts at once',
  )
}

/**
 * The arguments with every reference replaced by its value. Values are data (invariant 12): what looks like a reference in them is
 * none, and no reference stands where a tool or an agent is named.
 * @param results - of the steps that are referred to
 * @throws ToolError INVALID_PARAMS where a result has no such place
 */
export function resolveReferences(args: JsonObject, results: ReadonlyMap<string, unknown>): JsonObject {
  const resolve = (value: unknown, place: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((member, at) => resolve(member, `${place}.${at}`))
    if (!isMarked(value)) return resolveMembers(value, place)
    const { from, pointer } = readReference(value, place)
    const found = valueAtPointer(pointer, results.get(from))
    if (found !== undefined) return found
    const whole = pointer === '' ? 'has no structured content and no text, or is too large' : `has no ${pointer}`
    throw invalidPlan(place, `a place in the result of step ${from}`, `that result ${whole}`)
  }
  const resolveMembers = (value: object, place: string): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, `${place}.${name}`)]))
  return resolveMembers(args, 'arguments')
}

function isMarked(value: object): value is JsonObject {
  return !Array.isArray(value) && Object.hasOwn(value, MARK)
}

function readReference(value: JsonObject, place: string): { readonly from: string; readonly pointer: string } {
  const { [MARK]: from, path: pointer = '', ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) {
    const remedy = `an object with the member ${MARK} is a reference and holds ${MARK} and path alone`
    throw invalidPlan(`${place}.${other}`, 'absent', remedy)
  }
  if (typeof from !== 'string') throw invalidPlan(`${place}.${MARK}`, 'a string', 'give the id of another step')
  if (typeof pointer !== 'string' || !JSON_POINTER.test(pointer)) {
    throw invalidPlan(`${place}.path`, 'a JSON Pointer (RFC 6901)', 'write it like /cases/0/name, or leave it out')
  }
  return { from, pointer }
}
