import { explainErrors, type JsonObject, type Violation } from '@synchub/protocol'
import { Ajv, MissingRefError, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { boundKeywords } from './bounded-keywords.js'
import { linearTimePatterns } from './linear-pattern.js'

/**
 * Checks values against one schema; undefined when the value keeps it.
 * @throws SchemaError when the schema turns out unusable on this value
 */
export type SchemaCheck = (value: unknown) => Violation | undefined

/** A schema that cannot be used; it refuses its own tool alone. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

const MAX_SCHEMA_BYTES = 256 * 1024

const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  // Else `{}` would have a "constructor", which it inherits.
  ownProperties: true,
  code: { regExp: linearTimePatterns },
  logger: false,
}

/** A version of JSON Schema: its own schema, and a compiler for schemas that were checked against it. */
class Dialect {
  // Compiled once, and when it is first wanted: a compiler for each schema would spend most of its time on compiling the schema of
  // schemas anew, and so would every start for a dialect that nobody writes.
  #metaSchema: ValidateFunction | undefined
  readonly #metaSchemaId: string
  readonly #createCompiler: (options: Options) => Ajv

  constructor(metaSchemaId: string, createCompiler: (options: Options) => Ajv) {
    this.#metaSchemaId = metaSchemaId
    this.#createCompiler = createCompiler
  }

  compile(schema: JsonObject): SchemaCheck {
    this.#metaSchema ??= this.#createCompiler(OPTIONS).getSchema(this.#metaSchemaId)
    if (this.#metaSchema?.(schema) !== true) {
      throw new SchemaError(`the schema is not valid: ${explainErrors(this.#metaSchema?.errors ?? []).reason}`)
    }
    return compileWith(this.open(), schema)
  }

  /** A compiler that checks no schemas. */
  open(): Compiler {
    const ajv = this.#createCompiler({ ...OPTIONS, validateSchema: false })
    return { ajv, steps: boundKeywords(ajv) }
  }
}

interface Compiler {
  readonly ajv: Ajv
  readonly steps: ReturnType<typeof boundKeywords>
}

function compileWith({ ajv, steps }: Compiler, schema: JsonObject): SchemaCheck {
  const validate = ajv.compile(schema)
  return (value) => {
    steps.reset()
    return check(validate, value)
  }
}

const DRAFT_2020_12 = new Dialect('https://json-schema.org/draft/2020-12/schema', (options) => new Ajv2020(options))
const DRAFT_07 = new Dialect('http://json-schema.org/draft-07/schema', (options) => new Ajv(options))

/**
 * Compiles a JSON Schema of an agent: 2020-12 (also where `$schema` is absent) or draft-07. Each schema has its own compiler,
 * so equal `$id`s of two agents never meet; a `$ref` outside of the schema is refused, never fetched.
 * @throws SchemaError saying what is wrong
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const dialect = dialectOf(schema)
  // ajv would answer with a promise, which is neither a yes nor a no, and end the process when nobody waits for it.
  if (Object.hasOwn(schema, '$async')) throw new SchemaError('$async is no keyword of JSON Schema')
  try {
    const bytes = Buffer.byteLength(JSON.stringify(schema))
    if (bytes > MAX_SCHEMA_BYTES) throw new SchemaError(`the schema is larger than ${MAX_SCHEMA_BYTES} bytes`)
    return dialect.compile(schema)
  } catch (cause) {
    throw toSchemaError(cause, 'the schema cannot be compiled')
  }
}

let ownCompiler: Compiler | undefined

/** Compiles a schema that SyncHub's own authors wrote, which has no `$id`: all of them share one compiler, made when first wanted. */
export function compileOwnSchema(schema: JsonObject): SchemaCheck {
  ownCompiler ??= DRAFT_2020_12.open()
  return compileWith(ownCompiler, schema)
}

function dialectOf({ $schema }: JsonObject): Dialect {
  if ($schema === undefined) return DRAFT_2020_12
  if (typeof $schema !== 'string') throw new SchemaError('$schema must be a string')
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test($schema)) return DRAFT_2020_12
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema)) return DRAFT_07
  throw new SchemaError(`$schema ${$schema} is not supported; use JSON Schema 2020-12 or draft-07`)
}

function check(validate: ValidateFunction, value: unknown): Violation | undefined {
  try {
    if (validate(value)) return undefined
  } catch (cause) {
    throw toSchemaError(cause, 'the schema cannot check this value')
  }
  const { path, expected, reason } = explainErrors(validate.errors ?? [])
  return { path, expected, reason }
}

/** Also what the engine itself throws, such as a stack that is too small for schemas that nest without end. */
function toSchemaError(cause: unknown, what: string): SchemaError {
  if (cause instanceof SchemaError) return cause
  if (cause instanceof MissingRefError) {
    return new SchemaError(`the schema does not hold what its $ref ${cause.missingRef} names, and none is fetched`, {
      cause,
    })
  }
  return new SchemaError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
