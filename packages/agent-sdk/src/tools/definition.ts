import { HubError, isToolName, type JsonObject, TOOL_NAME_RULE, type Tool } from '@synchub/protocol'
import type { HandlerReturn, ToolContext, ToolHandler } from './context.js'
import { compileSchema, type SchemaCheck } from './schema.js'

/** What the author of a tool writes down. */
export interface ToolOptions<Args> {
  /** 1 to 128 characters of A-Z a-z 0-9 . _ / - */
  readonly name: string
  /** The name that people see. */
  readonly title?: string
  /** What the tool does and when to use it: models choose by it. */
  readonly description: string
  /** JSON Schema (2020-12, or draft-07 by `$schema`) of the arguments; its `type` must be "object". */
  readonly inputSchema: JsonObject
  /** JSON Schema of `structuredContent`. Where given, an answer without `isError` must keep it. */
  readonly outputSchema?: JsonObject
  /** Hints as MCP has them, e.g. `readOnlyHint`. The hub shows them and believes none (S4.2). */
  readonly annotations?: JsonObject
  /** True for long tools: a caller that accepts `text/event-stream` gets progress as it comes. Default false. */
  readonly streams?: boolean
  readonly handler: ToolHandler<Args>
}

/** A tool that is ready to be served; {@link defineTool} makes it. */
export interface AgentTool {
  /** As `tools/list` shows it. */
  readonly listing: Tool
  readonly streams: boolean
  /** Throws INVALID_PARAMS naming the place where `args` do not keep the inputSchema. */
  checkArguments(args: JsonObject): void
  /** The place where a structured result does not keep the outputSchema. */
  readonly checkOutput?: SchemaCheck
  run(args: JsonObject, ctx: ToolContext): Promise<HandlerReturn>
}

/**
 * Makes a tool of a schema and a handler. Schemas are compiled here, so a bad one fails when the agent starts and not at its
 * first call.
 * @throws Error naming the tool, when its name or a schema is not valid
 */
export function defineTool<Args = JsonObject>(options: ToolOptions<Args>): AgentTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = options
  if (!isToolName(name)) throw new Error(`the tool name ${JSON.stringify(name)} must be ${TOOL_NAME_RULE}`)
  if (inputSchema.type !== 'object') throw new Error(`tool ${name}: the type of inputSchema must be "object"`)
  const findViolation = compileNamed(name, 'inputSchema', inputSchema)
  return {
    listing: {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    streams: options.streams ?? false,
    checkArguments(args) {
      const violation = findViolation(args)
      if (violation === undefined) return
      throw new HubError('INVALID_PARAMS', violation.reason, { path: violation.path, expected: violation.expected })
    },
    ...(outputSchema === undefined ? {} : { checkOutput: compileNamed(name, 'outputSchema', outputSchema) }),
    // The arguments are Args because checkArguments, which always comes first, holds them to the author's own schema.
    run: async (args, ctx) => options.handler(args as Args, ctx),
  }
}

function compileNamed(tool: string, member: string, schema: JsonObject): SchemaCheck {
  try {
    return compileSchema(schema)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`tool ${tool}: the ${member} is not a valid JSON Schema: ${reason}`, { cause })
  }
}
