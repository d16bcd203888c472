import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import { encodeHeaderValue } from './header-value.js'
import { headerMissing, type McpHeaders, readMirror } from './http-request.js'
import { RevisionError } from './revision-error.js'

/** A parameter of a tool that the server wants in a header too (MCP 2026-07-28, `x-mcp-header`). */
export interface ParamHeader {
  /** Names of the properties that lead to the parameter. */
  readonly path: readonly string[]
  /** `Mcp-Param-<name>`. */
  readonly header: string
}

/** A tool that declares its headers wrongly: clients MUST leave it out. */
export class ParamHeaderError extends Error {
  override readonly name = 'ParamHeaderError'
}

const DECLARATION = 'x-mcp-header'
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const DECIMAL = /^-?\d{1,16}(?:\.0{1,16})?$/
const PERMITTED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Deepest nesting of a schema that is looked through. */
const MAX_DEPTH = 64

/**
 * Reads which parameters of a tool go into headers.
 * @throws ParamHeaderError naming what is wrong
 */
export function readParamHeaders(inputSchema: JsonObject): readonly ParamHeader[] {
  const found: ParamHeader[] = []
  const declared = countDeclarations(inputSchema, 0)
  if (declared === 0) return found
  collect(inputSchema, [], found)
  if (found.length !== declared) {
    throw new ParamHeaderError(`${DECLARATION} stands where no chain of "properties" leads`)
  }
  const names = new Set(found.map(({ header }) => header.toLowerCase()))
  if (names.size !== found.length) throw new ParamHeaderError(`${DECLARATION} names one header twice`)
  return found
}

const KNOWN = new WeakMap<JsonObject, readonly ParamHeader[]>()

/**
 * Like {@link readParamHeaders}, once for each schema object, for whoever takes a tool as it is listed. A declaration that cannot be
 * kept binds nobody: clients leave such a tool out.
 */
export function declaredParamHeaders(inputSchema: JsonObject): readonly ParamHeader[] {
  const known = KNOWN.get(inputSchema)
  if (known !== undefined) return known
  const declared = readOrNone(inputSchema)
  KNOWN.set(inputSchema, declared)
  return declared
}

function readOrNone(inputSchema: JsonObject): readonly ParamHeader[] {
  try {
    return readParamHeaders(inputSchema)
  } catch (thrown) {
    if (thrown instanceof ParamHeaderError) return []
    throw thrown
  }
}

/** The headers of one call. What is absent or null has none. */
export function paramHeadersOf(params: readonly ParamHeader[], args: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    params.flatMap(({ path, header }) => {
      const text = toText(valueAt(path, args))
      return text === undefined ? [] : [[header, encodeHeaderValue(text)]]
    }),
  )
}

/**
 * Holds the headers of a call against its arguments.
 * @throws RevisionError when one is missing, or says something else
 */
export function checkParamHeaders(params: readonly ParamHeader[], args: JsonObject, headers: McpHeaders): void {
  for (const { path, header } of params) {
    const value = valueAt(path, args)
    const mirrored = readMirror(headers, header)
    if (mirrored === toText(value) || isSameNumber(mirrored, value)) continue
    if (mirrored === undefined) throw headerMissing(header)
    // Not said back: an argument may be one that belongs in no error.
    throw new RevisionError('HEADER_MISMATCH', `Header mismatch: ${header} does not say what the body says`)
  }
}

function collect(schema: JsonObject, path: readonly string[], found: ParamHeader[]): void {
  for (const [name, part] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
    if (!isJsonObject(part)) continue
    const own = [...path, name]
    const header = part[DECLARATION]
    if (header !== undefined) {
      if (typeof header !== 'string' || !HEADER_NAME.test(header)) {
        throw new ParamHeaderError(`${DECLARATION} of ${own.join('.')} is no name of a header`)
      }
      if (!PERMITTED_TYPES.has(part.type)) {
        throw new ParamHeaderError(`${DECLARATION} of ${own.join('.')} needs the type string, integer or boolean`)
      }
      found.push({ path: own, header: `Mcp-Param-${header}` })
    }
    collect(part, own, found)
  }
}

/** Declarations anywhere in the schema; a property that is only called so is none. */
function countDeclarations(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0
  let count = 0
  for (const [name, part] of Object.entries(value)) {
    if (name === 'properties' && isJsonObject(part)) {
      for (const own of Object.values(part)) count += countDeclarations(own, depth + 1)
    } else if (name === DECLARATION && !Array.isArray(value)) count++
    else if (name !== 'default' && name !== 'const' && name !== 'enum' && name !== 'examples') {
      count += countDeclarations(part, depth + 1)
    }
  }
  return count
}

function valueAt(path: readonly string[], args: JsonObject): unknown {
  return path.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), args)
}

/** Clients whose numbers keep their form write 42.0 where others write 42. */
function isSameNumber(mirrored: string | undefined, value: unknown): boolean {
  return Number.isSafeInteger(value) && mirrored !== undefined && DECIMAL.test(mirrored) && Number(mirrored) === value
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}
