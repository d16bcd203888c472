import { explainErrors, type JsonObject, type Violation } from '@synchub/protocol'
import { Ajv, MissingRefError, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Checks a value; undefined when it keeps the schema. */
export type SchemaCheck = (value: unknown) => Violation | undefined

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
 * @throws Error in one sentence with place and remedy, when the schema is not valid
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const isDraft07 = typeof schema.$schema === 'string' && DRAFT_07.test(schema.$schema)
  const checker = isDraft07 ? DRAFT_07_CHECKER : DRAFT_2020_12_CHECKER
  if (checker.validateSchema(schema) !== true) throw new Error(explainErrors(checker.errors ?? []).reason)
  const validate = compile(isDraft07 ? new Ajv(COMPILER_OPTIONS) : new Ajv2020(COMPILER_OPTIONS), schema)
  return (value) => {
    if (validate(value)) return undefined
    const { path, expected, reason } = explainErrors(validate.errors ?? [])
    return { path, expected, reason }
  }
}

function compile(compiler: Ajv, schema: JsonObject): ReturnType<Ajv['compile']> {
  try {
    return compiler.compile(schema)
  } catch (cause) {
    throw new Error(faultOf(cause), { cause })
  }
}

/** What ajv throws at, for the author of the schema. */
function faultOf(thrown: unknown): string {
  if (thrown instanceof MissingRefError) {
    return `it does not hold what its $ref ${JSON.stringify(thrown.missingRef)} names, and none is fetched: put that under "$defs" and name it "#/$defs/..."`
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const keyword = /unknown keyword: (".*")/.exec(message)?.[1]
  if (keyword === undefined) return message
  return `${keyword} is no keyword of JSON Schema, and would check nothing: correct its spelling, or take it out`
}
