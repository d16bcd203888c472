import type { JsonObject } from '@synchub/protocol'
import { Ajv, type Options } from 'ajv'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'

/** What is wrong with a value: the place in it and what was expected there (S2). */
export interface Violation {
  /** `fields.0.type`; empty for the value itself. */
  readonly path: string
  readonly expected: string
  /** One sentence, e.g. `city must be a string`. */
  readonly reason: string
}

/** Checks values against one schema; undefined when the value keeps it. */
export type SchemaCheck = (value: unknown) => Violation | undefined

/** A schema that cannot be used; it refuses its own tool alone. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/
const MAX_SCHEMA_BYTES = 256 * 1024

/** A linear-time engine: a pattern of an agent's schema can never hang the hub (ajv's own has no bound). */
const linearTimePattern = Object.assign((pattern: string) => new LinearPattern(pattern), {
  code: 'new LinearPattern',
})

class LinearPattern {
  readonly #compiled: RE2JS

  constructor(pattern: string) {
    this.#compiled = RE2JS.compile(pattern)
  }

  test(text: string): boolean {
    return this.#compiled.matcher(text).find()
  }
}

const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  code: { regExp: linearTimePattern },
  logger: false,
}

/**
 * Compiles a JSON Schema of an agent: 2020-12 (also where `$schema` is absent) or draft-07. Each schema has its own compiler,
 * so equal `$id`s of two agents never meet; a `$ref` outside of the schema is refused, never fetched.
 * @throws SchemaError saying what is wrong
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  if (JSON.stringify(schema).length > MAX_SCHEMA_BYTES) {
    throw new SchemaError(`the schema is larger than ${MAX_SCHEMA_BYTES} bytes`)
  }
  const validate = compile(schema)
  return (value) => {
    if (validate(value)) return undefined
    const error = validate.errors?.[0]
    return error === undefined
      ? { path: '', expected: 'a valid value', reason: 'the value is not valid' }
      : explain(error)
  }
}

function compile(schema: JsonObject): ValidateFunction {
  const dialect = schema.$schema ?? 'https://json-schema.org/draft/2020-12/schema'
  if (typeof dialect !== 'string') throw new SchemaError('$schema must be a string')
  try {
    if (DRAFT_2020.test(dialect)) return new Ajv2020(OPTIONS).compile(schema)
    if (DRAFT_07.test(dialect)) return new Ajv(OPTIONS).compile(schema)
  } catch (cause) {
    throw new SchemaError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
  throw new SchemaError(`$schema ${dialect} is not supported; use JSON Schema 2020-12 or draft-07`)
}

function explain(error: ErrorObject): Violation {
  const place = error.instancePath.split('/').slice(1).map(unescapePointer)
  const missing: unknown = error.params.missingProperty
  const extra: unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty
  if (typeof missing === 'string') {
    const path = [...place, missing].join('.')
    return { path, expected: 'a value', reason: `'${path}' is required` }
  }
  if (typeof extra === 'string') {
    const path = [...place, extra].join('.')
    return { path, expected: 'no such property', reason: `'${path}' is not a known property` }
  }
  const path = place.join('.')
  const expected = expectedBy(error)
  return { path, expected, reason: `${path === '' ? 'the value' : path} must be ${withArticle(expected)}` }
}

function expectedBy(error: ErrorObject): string {
  const { keyword, params } = error
  if (keyword === 'type') return String(params.type).replaceAll(',', ' or ')
  if (keyword === 'enum') return `one of ${JSON.stringify(params.allowedValues)}`
  if (keyword === 'const') return JSON.stringify(params.allowedValue)
  if (keyword === 'pattern') return `text that matches ${String(params.pattern)}`
  return (error.message ?? 'a valid value').replace(/^must (be |NOT )?/, (_, word) => (word === 'NOT ' ? 'not ' : ''))
}

function withArticle(expected: string): string {
  if (!/^(string|number|boolean|object|array|integer|null)$/.test(expected)) return expected
  return expected === 'null' ? expected : `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
