import {
  type ContentItem,
  HubError,
  isJsonObject,
  isToolName,
  type JsonObject,
  TOOL_NAME_RULE,
} from '@synchub/protocol'
import type { Completer, Completers } from '../completion/completer.js'
import type { ReadContext } from '../resources/read-context.js'

/** One argument of a prompt; its value is always a text. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  /** Suggests values while somebody types; none where it is absent. */
  readonly complete?: Completer
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentItem
}

/** What the author of a prompt writes down. */
export interface PromptOptions {
  /** 1 to 128 characters of A-Z a-z 0-9 . _ / - */
  readonly name: string
  readonly title?: string
  /** What the prompt is for: people choose by it. */
  readonly description: string
  readonly arguments?: readonly PromptArgument[]
  /** Writes the prompt; a string is one message of the user. */
  readonly write: (
    args: Readonly<Record<string, string | undefined>>,
    ctx: ReadContext,
  ) => Promise<readonly PromptMessage[] | string> | readonly PromptMessage[] | string
}

/** A prompt that is ready to be served; {@link definePrompt} makes it. */
export interface AgentPrompt {
  readonly name: string
  /** As `prompts/list` shows it. */
  readonly listing: JsonObject
  readonly completers: Completers
  /**
   * The result of `prompts/get`.
   * @throws HubError INVALID_PARAMS naming the argument that is missing, unknown or no text
   */
  get(args: unknown, ctx: ReadContext): Promise<JsonObject>
}

/**
 * Makes a prompt: a text with gaps that a person picks and fills (S3.1).
 * @throws Error when its name is not valid or two arguments have the same name
 */
export function definePrompt(options: PromptOptions): AgentPrompt {
  const { name, title, description, arguments: known = [], write } = options
  if (!isToolName(name)) throw new Error(`the prompt name ${JSON.stringify(name)} must be ${TOOL_NAME_RULE}`)
  if (new Set(known.map((argument) => argument.name)).size < known.length) {
    throw new Error(`prompt ${name}: two arguments have the same name`)
  }
  return {
    name,
    listing: {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      arguments: known.map(({ complete: _complete, ...listed }) => listed),
    },
    completers: Object.fromEntries(
      known.flatMap((argument) => (argument.complete === undefined ? [] : [[argument.name, argument.complete]])),
    ),
    async get(args, ctx) {
      const written = await write(checkArguments(known, args), ctx)
      const messages =
        typeof written === 'string' ? [{ role: 'user', content: { type: 'text', text: written } }] : written
      return { description, messages }
    },
  }
}

function checkArguments(known: readonly PromptArgument[], args: unknown): Record<string, string> {
  if (args !== undefined && !isJsonObject(args)) throw invalid('arguments', 'an object')
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(args ?? {})) {
    if (!known.some((argument) => argument.name === name)) throw invalid(`arguments.${name}`, 'no such argument')
    if (typeof value !== 'string') throw invalid(`arguments.${name}`, 'a string')
    values[name] = value
  }
  const missing = known.find(({ name, required }) => required === true && values[name] === undefined)
  if (missing !== undefined) throw invalid(`arguments.${missing.name}`, 'given')
  return values
}

function invalid(path: string, expected: string): HubError {
  return new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}
