import { AnswerShapeError } from '../json-rpc/answer-shape.js'
import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'

/** What a server asks of a client, by names of its own: each with `method` and `params` (MCP 2026-07-28). */
export type InputRequests = Readonly<Record<string, JsonObject>>

/** The capability that a client must have declared for a kind of question. */
const CAPABILITY_OF: ReadonlyMap<unknown, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** A result that says what has to be answered first. */
export interface InputRequired {
  readonly resultType: 'input_required'
  readonly inputRequests: InputRequests
  /** Opaque to everybody but the server: it comes back as it was. */
  readonly requestState?: string
}

/**
 * Reads the result of a server that needs input first; undefined for every other result.
 * @throws AnswerShapeError where it asks nothing that a client could answer
 */
export function parseInputRequired(result: unknown): InputRequired | undefined {
  if (!isJsonObject(result) || result.resultType !== 'input_required') return undefined
  const { inputRequests = {}, requestState } = result
  if (!isJsonObject(inputRequests)) throw new AnswerShapeError('result.inputRequests', 'an object')
  const asked = Object.entries(inputRequests).map(([name, request]): [string, JsonObject] => {
    if (isJsonObject(request) && CAPABILITY_OF.has(request.method)) return [name, request]
    throw new AnswerShapeError(`result.inputRequests.${name}`, `a request of ${[...CAPABILITY_OF.keys()].join(', ')}`)
  })
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new AnswerShapeError('result.requestState', 'a string')
  }
  if (asked.length === 0 && requestState === undefined) {
    throw new AnswerShapeError('result', 'inputRequests or requestState')
  }
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(asked),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** Of what a client declares, what says which questions it answers. */
export function declaredInputs(clientCapabilities: JsonObject): JsonObject {
  const declared: Record<string, unknown> = {}
  for (const name of CAPABILITY_OF.values()) {
    if (isJsonObject(clientCapabilities[name])) declared[name] = clientCapabilities[name]
  }
  return declared
}

/** The capability that one of the questions needs and the client does not declare; undefined when it can answer all of them. */
export function findUndeclaredInput(
  inputRequests: InputRequests,
  clientCapabilities: JsonObject,
): JsonObject | undefined {
  for (const { method, params } of Object.values(inputRequests)) {
    const name = CAPABILITY_OF.get(method) ?? ''
    const member = memberOf(name, isJsonObject(params) ? params : {})
    const declared = clientCapabilities[name]
    if (!isJsonObject(declared)) return { [name]: member === undefined || member === 'form' ? {} : { [member]: {} } }
    // An empty declaration of elicitation means forms; one of pages alone does not.
    const isImplied = member === undefined || (member === 'form' && declared.url === undefined)
    if (!isImplied && !isJsonObject(declared[member])) return { [name]: { [member]: {} } }
  }
  return undefined
}

/** The member of the capability that a question needs besides, by what it asks; undefined where the bare capability will do. */
function memberOf(capability: string, { mode, tools, toolChoice, includeContext }: JsonObject): string | undefined {
  if (capability === 'elicitation') return mode === 'url' ? 'url' : 'form'
  if (capability !== 'sampling') return undefined
  if (tools !== undefined || toolChoice !== undefined) return 'tools'
  return includeContext === undefined || includeContext === 'none' ? undefined : 'context'
}
