import { type JsonObject, type ParamHeader, ParamHeaderError, readParamHeaders } from '@synchub/protocol'

const NONE: readonly ParamHeader[] = []
const known = new WeakMap<JsonObject, readonly ParamHeader[]>()

/**
 * Which parameters of a tool go into headers, by the schema that the hub knows: the process that calls a tool need not be the one
 * that lists it. Looked for once for each schema object. A tool that declares them wrongly has none: it is listed by nobody.
 */
export function declaredHeaders(inputSchema: JsonObject | undefined): readonly ParamHeader[] {
  if (inputSchema === undefined) return NONE
  const found = known.get(inputSchema) ?? readDeclared(inputSchema)
  known.set(inputSchema, found)
  return found
}

function readDeclared(inputSchema: JsonObject): readonly ParamHeader[] {
  try {
    return readParamHeaders(inputSchema)
  } catch (thrown) {
    if (thrown instanceof ParamHeaderError) return NONE
    throw thrown
  }
}
