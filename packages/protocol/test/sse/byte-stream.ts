import fc from 'fast-check'
import { readSse, type SseItem } from '../../src/index.js'

const encoder = new TextEncoder()

/** The bytes of a text that may hold what no string encodes, such as broken UTF-8. */
export function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encoder.encode(part)] : [...part])))
}

/** Delivers chunks one after the other, as a socket does. */
export async function* deliver(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve()
    yield chunk
  }
}

/** The bytes in pieces of at most `size`. */
export function* cutEvery(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The bytes cut at any places, also into empty pieces. */
export function cutAnywhere(bytes: Uint8Array): fc.Arbitrary<readonly Uint8Array[]> {
  return fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }).map((places) => {
    const cuts = [0, ...places.toSorted((left, right) => left - right), bytes.length]
    return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
  })
}

/** What a reader gets of a stream until it ends or breaks. */
export interface Reading {
  readonly items: readonly SseItem[]
  readonly error?: unknown
}

/** Reads a stream to its end or its fault. */
export async function readAll(chunks: Iterable<Uint8Array>, maxEventBytes = 1_000_000): Promise<Reading> {
  const items: SseItem[] = []
  try {
    for await (const item of readSse(deliver(chunks), maxEventBytes)) items.push(item)
    return { items }
  } catch (error) {
    return { items, error }
  }
}
