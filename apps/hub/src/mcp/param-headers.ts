import {
  type JsonObject,
  type ListedTool,
  type ParamHeader,
  ParamHeaderError,
  readParamHeaders,
} from '@synchub/protocol'

const KNOWN = new WeakMap<JsonObject, readonly ParamHeader[]>()

/** The parameters that a tool wants in headers. A declaration that cannot be kept binds nobody: clients leave such a tool out. */
export function paramHeadersOfTool({ inputSchema }: ListedTool): readonly ParamHeader[] {
  const known = KNOWN.get(inputSchema)
  if (known !== undefined) return known
  const declared = readDeclared(inputSchema)
  KNOWN.set(inputSchema, declared)
  return declared
}

function readDeclared(inputSchema: JsonObject): readonly ParamHeader[] {
  try {
    return readParamHeaders(inputSchema)
  } catch (thrown) {
    if (thrown instanceof ParamHeaderError) return []
    throw thrown
  }
}
