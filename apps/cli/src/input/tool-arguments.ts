import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { UsageError } from '../outcome/failure.js'

/**
 * Reads the arguments of a tool as they stand on the command line: nothing, one JSON object, `-` (JSON on standard input),
 * `@file` (JSON in a file), or pairs: `key=text`, `key:=json`. No pair is guessed at: `n=3` is the text "3".
 * @throws UsageError naming the part that is wrong
 */
export async function readToolArguments(
  words: readonly string[],
  stdin: AsyncIterable<Buffer | string>,
): Promise<JsonObject> {
  const [word, ...others] = words
  if (word === undefined) return {}
  if (others.length === 0) {
    if (word === '-') return parseObject(await readAll(stdin), 'standard input')
    if (word.startsWith('@')) return parseObject(await readArgumentFile(word.slice(1)), word.slice(1))
    if (word.trimStart().startsWith('{')) return parseObject(word, 'the arguments')
  }
  return Object.fromEntries(words.map(parsePair))
}

function parsePair(word: string): [string, unknown] {
  const [, key, operator, value = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(word) ?? []
  if (key === undefined) {
    throw new UsageError(
      `"${word}" is no argument: give one JSON object, - or @file, or pairs such as key=text and key:=json`,
    )
  }
  return [key, operator === '=' ? value : parseValue(value, `the value of "${key}"`)]
}

function parseObject(text: string, place: string): JsonObject {
  const value = parseValue(text, place)
  if (isJsonObject(value)) return value
  throw new UsageError(`the arguments of a tool are a JSON object, and ${place} holds something else`)
}

function parseValue(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${place}: not a JSON text (${cause instanceof Error ? cause.message : String(cause)})`, {
      cause,
    })
  }
}

async function readArgumentFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const reason = isCoded(cause) ? cause.code : 'cannot be read'
    throw new UsageError(`the file ${path} cannot be read: ${reason}`, { cause })
  }
}

function isCoded(value: unknown): value is { readonly code: string } {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks).toString()
}
