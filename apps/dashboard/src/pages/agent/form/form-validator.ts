import { type Schema, Validator } from '@cfworker/json-schema'
import {
  ErrorSchemaBuilder,
  getByPath,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from '@rjsf/utils'
import { isJsonObject } from '@synchub/protocol'
import type { Complaints } from './complaints.js'

/** Keywords whose errors only say that something below them is wrong. */
const OUTER = new Set([
  'properties',
  'items',
  'additionalProperties',
  'allOf',
  '$ref',
  'prefixItems',
  'patternProperties',
])

/**
 * Checks what is filled in by reading the schema: compiling it, as ajv does, evaluates text, which the pages' policy forbids. The
 * patterns of agents are left to the hub, whose engine they cannot hold up (see {@link withoutPatterns}).
 */
export function createFormValidator(complaints: Complaints): ValidatorType {
  return {
    validateFormData(formData, schema) {
      const mistakes = validate(schema, formData)
      const builder = new ErrorSchemaBuilder()
      const errors = mistakes.map(({ keyword, limits, path }): RJSFValidationError => {
        const own = Object.entries(complaints).find(([name]) => name === keyword && limits.length > 0)
        const complain = own?.[1] ?? complaints.other
        const message = complain(...limits)
        builder.addErrors(message, [...path])
        return { name: keyword, message, property: path.map((part) => `.${part}`).join(''), stack: message }
      })
      return { errors, errorSchema: builder.ErrorSchema }
    },
    isValid: (schema, formData, rootSchema) =>
      validate({ ...definitionsOf(rootSchema), ...schema }, formData).length === 0,
    // What the library's own playground asks for; nothing else does.
    rawValidation: (schema, formData) => ({ errors: validate(schema, formData) as never[] }),
  }
}

/** A schema without its patterns: one that backtracks would hold the page up for ever, and the hub checks them in linear time. */
export function withoutPatterns<Value>(schema: Value): Value {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (!isJsonObject(value)) return value
    const kept = Object.entries(value).filter(
      ([name, entry]) => !(name === 'pattern' && typeof entry === 'string') && name !== 'patternProperties',
    )
    return Object.fromEntries(kept.map(([name, entry]) => [name, strip(entry)]))
  }
  return strip(schema) as Value
}

interface Mistake {
  readonly keyword: string
  /** What the schema says under that keyword, one by one; nothing where its place is not found. */
  readonly limits: readonly string[]
  readonly path: readonly string[]
}

function validate(schema: RJSFSchema, value: unknown): readonly Mistake[] {
  const draft = /draft-0?7/.test(schema.$schema ?? '') ? '7' : '2020-12'
  const { valid, errors } = new Validator(schema as Schema, draft, false).validate(withoutUndefined(value))
  if (valid) return []
  return errors
    .filter(({ keyword }) => !OUTER.has(keyword))
    .map(({ keyword, keywordLocation, instanceLocation, error }) => {
      const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
      const path = [...partsOf(instanceLocation), ...(missing === undefined ? [] : [missing])]
      // An item of a list that is not filled in is null.
      const isMissing = keyword === 'type' && path.length > 0 && (getByPath(value, path) ?? null) === null
      return {
        keyword: isMissing ? 'required' : keyword,
        limits: textsOf(valueAt(schema, keywordLocation)),
        path,
      }
    })
}

/** The parts of a pointer as the validator writes it, as the fragment of a URI. */
function partsOf(pointer: string): readonly string[] {
  const parts = pointer.replace(/^#\/?/, '').split('/')
  return parts
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(schema: RJSFSchema, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>((value, part) => {
    const next = isJsonObject(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined
    return part === '$ref' && typeof next === 'string' ? valueAt(schema, next) : next
  }, schema)
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined) return []
  return [value].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
}

function definitionsOf({ $defs, definitions }: RJSFSchema): RJSFSchema {
  return { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) }
}

/** A field that was emptied is undefined; as JSON it is not there. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value))
}
