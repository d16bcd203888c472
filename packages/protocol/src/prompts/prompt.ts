import { AnswerShapeError, optionalMember, requireList, requireObject, requireText } from '../json-rpc/answer-shape.js'
import { listedText, MAX_NAME_CHARS } from '../offers/listed-text.js'
import { isPromptName, PROMPT_NAME_RULE } from '../tools/names.js'

/** Most arguments of one prompt. */
const MAX_ARGUMENTS = 100

/** One argument of a prompt; its value is always a text. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A prompt as `prompts/list` shows it (MCP `Prompt`). */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
}

/** Checks one entry of `prompts/list`; only what the hub knows is taken over. @throws AnswerShapeError */
export function parsePrompt(value: unknown): Prompt {
  const listed = requireObject(value, 'prompt')
  const { name } = listed
  if (!isPromptName(name)) throw new AnswerShapeError('name', PROMPT_NAME_RULE)
  return {
    name,
    ...optionalMember(listed, 'title', listedText),
    ...optionalMember(listed, 'description', listedText),
    ...optionalMember(listed, 'arguments', parseArguments),
  }
}

function parseArguments(value: unknown, path: string): readonly PromptArgument[] {
  return requireList(value, path, MAX_ARGUMENTS).map((item, index) => parseArgument(item, `${path}.${index}`))
}

function parseArgument(value: unknown, path: string): PromptArgument {
  const { name, title, description, required } = requireObject(value, path)
  if (required !== undefined && typeof required !== 'boolean') {
    throw new AnswerShapeError(`${path}.required`, 'a boolean')
  }
  return {
    name: requireText(name, `${path}.name`, MAX_NAME_CHARS),
    ...(title === undefined ? {} : { title: listedText(title, `${path}.title`) }),
    ...(description === undefined ? {} : { description: listedText(description, `${path}.description`) }),
    ...(required === undefined ? {} : { required }),
  }
}
