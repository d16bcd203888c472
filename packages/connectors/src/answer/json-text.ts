import { BrokenAnswerError } from './broken-answer.js'

/** Deepest nesting of an agent's answer: what is nested without a bound overflows the stack of whoever writes it again. */
const MAX_DEPTH = 128

/**
 * Reads a body as JSON.
 * @param maxBytes - a larger body is not read on
 * @throws BrokenAnswerError when it is larger, not UTF-8 or no JSON; ExchangeError when it ends before its end
 */
export async function readJson(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<unknown> {
  return parseJson(toText(await readBytes(chunks, maxBytes)), 'the answer')
}

/**
 * Reads a whole body.
 * @param maxBytes - a larger body is not read on
 * @throws BrokenAnswerError when it is larger; ExchangeError when it ends before its end
 */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new BrokenAnswerError(`the answer is larger than ${maxBytes} bytes`)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

/**
 * Parses a JSON text of an agent.
 * @throws BrokenAnswerError naming `place` when it is no JSON or nested too deep
 */
export function parseJson(text: string, place: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BrokenAnswerError(`${place} is no JSON`, { cause })
  }
  requireBoundedDepth(value, place)
  return value
}

/**
 * Sees to it that a value can be written as JSON again.
 * @throws BrokenAnswerError naming `place` when it is nested too deep
 */
export function requireBoundedDepth(value: unknown, place: string): void {
  if (isDeeperThan(value, MAX_DEPTH)) throw new BrokenAnswerError(`${place} is nested deeper than ${MAX_DEPTH} levels`)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws BrokenAnswerError when the bytes are not UTF-8 */
export function toText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new BrokenAnswerError('the answer is not UTF-8', { cause })
  }
}

/** Level by level and not by recursion, which is what deep nesting breaks. */
function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true
    level = level.flatMap((nested) => Object.values(nested).filter(isNested))
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
