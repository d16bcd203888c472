import { type CompletionRef, HubError, type JsonObject, type ToolResult } from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { complete } from '../completion/answer.js'
import { createLineLogger } from '../logging/logger.js'
import { listResources, readResource } from '../resources/collection.js'
import { type CallScript, startCall, type TestCall } from './test-call.js'

/** An agent in a test: its tools, prompts and resources run in this process. */
export interface TestAgent {
  /** Everything that was logged, each line as an object. */
  readonly logs: readonly JsonObject[]
  /** Runs a tool to its end. Rejects as {@link TestCall.ended} does, and where there is no such tool. */
  call(tool: string, args?: JsonObject, script?: CallScript): Promise<ToolResult>
  /**
   * Starts a tool whose work is to be watched or cancelled.
   * @throws ToolError METHOD_NOT_FOUND, or INVALID_PARAMS naming the argument
   */
  start(tool: string, args?: JsonObject, script?: CallScript): TestCall
  /** The result of `prompts/get`. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>): Promise<JsonObject>
  /** All pages of `resources/list`. */
  listResources(): Promise<readonly JsonObject[]>
  /** The one content of a resource: its `uri`, and `text` or base64 `blob`. Undefined where there is none. */
  readResource(uri: string): Promise<JsonObject | undefined>
  /**
   * The values that are suggested for an argument of a prompt, or a variable of a template: 100 at most.
   * @param known - values of the other ones, as far as they are chosen
   * @throws ToolError INVALID_PARAMS where there is no such prompt or template
   */
  complete(
    ref: CompletionRef,
    name: string,
    value: string,
    known?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>
}

/** Puts an agent into a test. Nothing is opened, so nothing has to be closed. */
export function testAgent(agent: Agent): TestAgent {
  const logs: JsonObject[] = []
  const logger = createLineLogger({ write: (line) => logs.push(JSON.parse(line)) })
  const ctx = { signal: new AbortController().signal, logger }
  const start: TestAgent['start'] = (name, args = {}, script = {}) => {
    const tool = agent.tools.get(name)
    if (tool === undefined) throw new HubError('METHOD_NOT_FOUND', `agent ${agent.name} has no tool ${name}`)
    return startCall(tool, args, script, logger)
  }
  return {
    logs,
    start,
    call: async (tool, args, script) => start(tool, args, script).ended,
    async getPrompt(name, args) {
      const prompt = agent.prompts.get(name)
      if (prompt === undefined) throw new HubError('INVALID_PARAMS', `agent ${agent.name} has no prompt ${name}`)
      return prompt.get(args, ctx)
    },
    async listResources() {
      const all: JsonObject[] = []
      let cursor: string | undefined
      do {
        const page = await listResources(agent.resources, cursor, ctx)
        all.push(...page.resources)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    },
    readResource: async (uri) => readResource(agent.resources, uri, ctx),
    async complete(ref, name, value, known = {}) {
      const params = { ref, argument: { name, value }, context: { arguments: known } }
      return (await complete(agent, params, ctx)).values
    },
  }
}
