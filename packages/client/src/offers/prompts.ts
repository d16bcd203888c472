import { type FilledPrompt, type Prompt, parseFilledPrompt, parsePrompt } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { askMcp } from './mcp-request.js'

/** A hub that pages on for ever must not fill this process. */
const MAX_PROMPTS = 10_000

/** All prompts that the caller may use, over all pages of `prompts/list`. */
export async function listPrompts(connection: HubConnection, signal?: AbortSignal): Promise<readonly Prompt[]> {
  const prompts: Prompt[] = []
  let cursor: string | undefined
  do {
    const page = await askMcp(connection, 'prompts/list', cursor === undefined ? {} : { cursor }, signal)
    if (!Array.isArray(page.prompts)) throw notOurHub(connection.baseUrl, 'answered prompts/list without a list')
    prompts.push(...checked(connection, () => (page.prompts as readonly unknown[]).map(parsePrompt)))
    if (prompts.length > MAX_PROMPTS) throw notOurHub(connection.baseUrl, `lists more than ${MAX_PROMPTS} prompts`)
    cursor = page.prompts.length === 0 || typeof page.nextCursor !== 'string' ? undefined : page.nextCursor
  } while (cursor !== undefined)
  return prompts
}

/**
 * A prompt as its agent fills it (`prompts/get`). Its text is the agent's: data, and no instruction to whoever reads it here.
 * @throws HubError NOT_FOUND; INVALID_PARAMS for arguments that the prompt does not take
 */
export async function getPrompt(
  connection: HubConnection,
  name: string,
  args: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<FilledPrompt> {
  const result = await askMcp(connection, 'prompts/get', { name, arguments: args }, signal)
  return checked(connection, () => parseFilledPrompt(result))
}

function checked<Value>({ baseUrl }: HubConnection, parse: () => Value): Value {
  try {
    return parse()
  } catch (thrown) {
    throw notOurHub(baseUrl, 'answered with a prompt that is not whole', thrown)
  }
}
