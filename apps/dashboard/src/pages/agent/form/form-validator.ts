import { type Schema, Validator } from '@cfworker/json-schema'
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils'
import { isJsonObject } from '@synchub/protocol'

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
export const formValidator: ValidatorType = {
  validateFormData(formData, schema) {
    const errors = validate(schema, formData)
    return { errors, errorSchema: toErrorSchema(errors) }
  },
  isValid: (schema, formData, rootSchema) =>
    validate({ ...definitionsOf(rootSchema), ...schema }, formData).length === 0,
  // What the library's own playground asks for; nothing else does.
  rawValidation: (schema, formData) => ({ errors: validate(schema, formData) as never[] }),
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

function validate(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  const draft = /draft-0?7/.test(schema.$schema ?? '') ? '7' : '2020-12'
  const { valid, errors } = new Validator(schema as Schema, draft, false).validate(withoutUndefined(value))
  if (valid) return []
  return errors
    .filter(({ keyword }) => !OUTER.has(keyword))
    .map(({ keyword, instanceLocation, error }) => {
      const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
      const path = [...instanceLocation.replace(/^#\/?/, '').split('/'), missing].filter(
        (part) => part !== undefined && part !== '',
      )
      return { name: keyword, message: error, property: path.map((part) => `.${part}`).join(''), stack: error }
    })
}

function definitionsOf({ $defs, definitions }: RJSFSchema): RJSFSchema {
  return { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) }
}

/** A field that was emptied is undefined; as JSON it is not there. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value))
}
