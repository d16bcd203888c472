import type { JsonObject } from '@synchub/protocol'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Where a value does not keep its schema. */
interface SchemaViolation {
  /** Place in the value, e.g. `fields.0.type`; empty for the value as a whole. */
  readonly path: string
  readonly expected: string
  /** A sentence that names both. */
  readonly reason: string
}

/** Checks a value; undefined when it keeps the schema. */
export type SchemaCheck = (value: unknown) => SchemaViolation | undefined

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

// `format` only annotates, as JSON Schema 2020-12 has it by default. An unknown keyword is the author's slip and throws.
const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateFormats: false,
  // ajv resolves it and still does not list it among the keywords that it knows.
  keywords: ['$anchor'],
}

// Two that only check schemas: a compiler for each schema would compile the schema of schemas anew, some 60 ms at every start.
const DRAFT_07_CHECKER = new Ajv(OPTIONS)
const DRAFT_2020_12_CHECKER = new Ajv2020(OPTIONS)

/** Each schema has a compiler of its own, so that equal `$id`s of two tools never meet. */
const COMPILER_OPTIONS: Options = { ...OPTIONS, validateSchema: false }

/**
 * Compiles a JSON Schema: draft-07 where its `$schema` says so, else 2020-12. A `$ref` out of the schema is never fetched.
 * @throws Error when the schema is not valid
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const isDraft07 = typeof schema.$schema === 'string' && DRAFT_07.test(schema.$schema)
  // Throws where the schema is none: with `true` the answer is not the caller's to look at.
  void (isDraft07 ? DRAFT_07_CHECKER : DRAFT_2020_12_CHECKER).validateSchema(schema, true)
  const validate = (isDraft07 ? new Ajv(COMPILER_OPTIONS) : new Ajv2020(COMPILER_OPTIONS)).compile(schema)
  return (value) => {
    if (validate(value)) return undefined
    const error = validate.errors?.[0]
    return error === undefined
      ? { path: '', expected: 'another value', reason: 'the value is refused' }
      : describe(error)
  }
}

function describe(error: ErrorObject): SchemaViolation {
  const params: Record<string, unknown> = error.params
  const steps = error.instancePath.split('/').slice(1).map(unescapeStep)
  switch (error.keyword) {
    case 'required': {
      const path = [...steps, String(params.missingProperty)].join('.')
      return { path, expected: 'a value', reason: `${path} is required` }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const path = [...steps, String(params.additionalProperty ?? params.unevaluatedProperty)].join('.')
      return { path, expected: 'no such parameter', reason: `${path} is not a parameter of this tool` }
    }
    case 'type':
      return violation(steps, String(params.type), `must be ${withArticle(String(params.type))}`)
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues)
        ? params.allowedValues.map((value) => JSON.stringify(value))
        : []
      return violation(steps, `one of ${allowed.join(', ')}`, `must be one of ${allowed.join(', ')}`)
    }
    default: {
      const message = error.message ?? `must keep "${error.keyword}"`
      return violation(steps, message.replace(/^must (?:be )?/, ''), message)
    }
  }
}

function violation(steps: readonly string[], expected: string, demand: string): SchemaViolation {
  const path = steps.join('.')
  return { path, expected, reason: `${path === '' ? 'the value' : path} ${demand}` }
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
