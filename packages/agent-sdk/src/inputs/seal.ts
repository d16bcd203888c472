import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HubError } from '@synchub/protocol'
import { describeCode } from '../answers/store.js'
import type { Round } from './round.js'

/** What a state stands for: a round of one call, with one tool and one set of arguments. */
export interface SealedRound {
  readonly callId: string
  readonly traceId: string
  readonly digest: string
  readonly round: Round
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** What the sealed text is: one of an older form, kept by a client over an update of the agent, does not open. */
const FORM = Buffer.from('round 2')
/** A state goes to the client and back with every round. */
const MAX_STATE_BYTES = 64 * 1024

/**
 * Turns rounds into states that only this agent can read and nobody can change: over MCP the client keeps them (MCP 2026-07-28, multi
 * round-trip requests). The key lies in the agent's folder, so a state outlives its process.
 */
export class StateSeal {
  readonly #key: Buffer
  readonly #maxAgeMs: number

  private constructor(key: Buffer, maxAgeMs: number) {
    this.#key = key
    this.#maxAgeMs = maxAgeMs
  }

  /**
   * Opens the seal of `dataDir`, making its key where there is none.
   * @param maxAgeMs - how long a state holds; not longer than answers are kept, or it could run work twice
   * @throws Error in one sentence, when the key cannot be read or written
   */
  static async open(dataDir: string, maxAgeMs: number): Promise<StateSeal> {
    const path = join(dataDir, 'state.key')
    const key = await readKey(path)
    if (key.byteLength === KEY_BYTES) return new StateSeal(key, maxAgeMs)
    throw new Error(`${path} is no key of ${KEY_BYTES} bytes: remove it, and calls that wait for input are asked anew`)
  }

  /** @throws Error where questions, answers and state together are too large */
  seal(sealed: SealedRound, nowMs: number): string {
    const text = JSON.stringify({
      ...sealed,
      expiresAtMs: nowMs + this.#maxAgeMs,
    })
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_STATE_BYTES) {
      throw new Error(
        `questions, answers and state are ${bytes} bytes of JSON, more than the ${MAX_STATE_BYTES} that are sent`,
      )
    }
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce)
    cipher.setAAD(FORM)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws HubError INVALID_PARAMS for a state that this agent has not made, or not lately */
  unseal(state: string, nowMs: number): SealedRound {
    const { expiresAtMs, ...sealed } = this.#decrypt(state)
    if (nowMs > expiresAtMs) throw wrongState('the requestState has expired')
    return sealed
  }

  #decrypt(state: string): SealedRound & { readonly expiresAtMs: number } {
    const bytes = Buffer.from(state, 'base64url')
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(FORM)
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return JSON.parse(Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8'))
    } catch (cause) {
      throw wrongState('the requestState was not made by this agent, or by an earlier version of it', cause)
    }
  }
}

/** The refusal of a state. */
export function wrongState(reason: string, cause?: unknown): HubError {
  const expected = 'the requestState of the answer before, for the same call'
  return new HubError('INVALID_PARAMS', reason, {
    path: 'requestState',
    expected,
    cause,
  })
}

async function readKey(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (describeCode(cause) !== 'ENOENT') throw unusable(path, cause)
  }
  const key = randomBytes(KEY_BYTES)
  try {
    await writeFile(`${path}.tmp`, key, { mode: 0o600 })
    await rename(`${path}.tmp`, path)
  } catch (cause) {
    throw unusable(path, cause)
  }
  return key
}

function unusable(path: string, cause: unknown): Error {
  return new Error(`the agent cannot use ${path} (${describeCode(cause)}): make it readable and writable`, { cause })
}
