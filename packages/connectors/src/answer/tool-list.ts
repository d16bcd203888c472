import { isJsonObject, isToolName, type JsonObject, TOOL_NAME_RULE, type Tool } from '@synchub/protocol'
import { BrokenAnswerError } from './broken-answer.js'

/** Most tools of one agent. */
const MAX_TOOLS = 1_000
/** Most pages of one list, so that an agent cannot list for ever. */
const MAX_PAGES = 100

/** One page of `tools/list`. */
type FetchPage = (cursor: string | undefined) => Promise<unknown>

/** Why a tool cannot be used although its shape is right; undefined where it can. */
type FindFault = (tool: Tool, listed: JsonObject) => string | undefined

/** Collects the pages of `tools/list` of one agent. */
export type ToolCollector = (fetchPage: FetchPage, findFault?: FindFault) => Promise<readonly Tool[]>

/**
 * Makes what collects the pages of `tools/list`. A tool whose shape is broken is left out alone; `notice` is told why, once for as
 * long as it stays so.
 * @returns rejects with BrokenAnswerError when the list as a whole is broken
 */
export function createToolCollector(notice: (reason: string) => void): ToolCollector {
  let told = new Set<string>()
  return async (fetchPage, findFault = () => undefined) => {
    const tools = new Map<string, Tool>()
    const faults = new Set<string>()
    for await (const value of listAll(fetchPage)) {
      const fault = addTool(tools, value, findFault)
      if (fault !== undefined) faults.add(fault)
    }
    for (const fault of faults) if (!told.has(fault)) notice(`a tool is left out: ${fault}`)
    told = faults
    return [...tools.values()]
  }
}

async function* listAll(fetchPage: FetchPage): AsyncGenerator {
  const seenCursors = new Set<string>()
  let cursor: string | undefined
  let count = 0
  do {
    const page = await fetchPage(cursor)
    if (!isJsonObject(page) || !Array.isArray(page.tools))
      throw new BrokenAnswerError('the result of tools/list has no tools')
    count += page.tools.length
    if (count > MAX_TOOLS) throw new BrokenAnswerError(`the agent lists more than ${MAX_TOOLS} tools`)
    yield* page.tools
    cursor = readCursor(page, seenCursors)
  } while (cursor !== undefined)
}

/** The reason why a tool was left out, where it was. */
function addTool(tools: Map<string, Tool>, value: unknown, findFault: FindFault): string | undefined {
  const problem = findToolProblem(value)
  if (problem !== undefined) return problem
  const listed = value as Tool & JsonObject
  const tool = toTool(listed)
  const fault = tools.has(tool.name) ? `${tool.name} is listed twice` : findFault(tool, listed)
  if (fault === undefined) tools.set(tool.name, tool)
  return fault
}

function findToolProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is no object'
  const { name, title, description, inputSchema, outputSchema, annotations } = value
  if (!isToolName(name)) return `its name must be ${TOOL_NAME_RULE}`
  if (!isJsonObject(inputSchema)) return `the inputSchema of ${name} is no object`
  if (!isOptional(outputSchema, isJsonObject)) return `the outputSchema of ${name} is no object`
  if (!isOptional(annotations, isJsonObject)) return `the annotations of ${name} are no object`
  if (!isOptional(title, isText) || !isOptional(description, isText))
    return `title or description of ${name} is no text`
  return undefined
}

/** Only what the hub knows is taken over. */
function toTool({ name, title, description, inputSchema, outputSchema, annotations }: Tool): Tool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

function readCursor({ nextCursor }: JsonObject, seenCursors: Set<string>): string | undefined {
  if (nextCursor === undefined) return undefined
  if (typeof nextCursor !== 'string') throw new BrokenAnswerError('the nextCursor of tools/list is no text')
  if (seenCursors.has(nextCursor)) throw new BrokenAnswerError('the pages of tools/list go round in a circle')
  if (seenCursors.size + 1 >= MAX_PAGES) throw new BrokenAnswerError(`tools/list has more than ${MAX_PAGES} pages`)
  seenCursors.add(nextCursor)
  return nextCursor
}

function isOptional(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value === undefined || isRight(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
