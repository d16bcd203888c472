import { Command } from 'ioredis'
import type { Script } from './script.js'

/**
 * EVALSHA of a step, written as Redis reads it as soon as it is made. A step has up to a hundred arguments, and a command of
 * ioredis flattens them, looks through them and then writes them: that took a twentieth of all that a hub does for a short call.
 */
export class ScriptCommand extends Command {
  readonly #keys: string[]
  readonly #text: string

  /** @param keys - as many as the script has, of one slot where there is a cluster */
  constructor({ sha, keyCount }: Script, keys: readonly string[], args: readonly (string | number)[]) {
    super('evalsha', [], { replyEncoding: 'utf8' })
    this.#keys = [...keys]
    let text = `*${3 + keys.length + args.length}\r\n$7\r\nevalsha\r\n$${sha.length}\r\n${sha}\r\n${bulkString(String(keyCount))}`
    for (const key of keys) text += bulkString(key)
    for (const arg of args) text += bulkString(String(arg))
    this.#text = text
  }

  /** What a cluster finds the node by. */
  override getKeys(): string[] {
    return this.#keys
  }

  /** Any number of times: a command is sent again where its connection was lost. */
  override toWritable(): string {
    return this.#text
  }
}

/** A string as RESP has it. */
function bulkString(value: string): string {
  return `$${Buffer.byteLength(value)}\r\n${value}\r\n`
}
