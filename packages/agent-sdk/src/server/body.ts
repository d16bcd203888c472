import type { IncomingMessage } from 'node:http'
import { HubError } from '@synchub/protocol'

/**
 * Reads the body of a JSON request.
 * @param maxBodyBytes - more than this is refused before it is held in memory
 * @returns the text, or undefined when the sender went away in the middle
 * @throws HubError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or PARSE_ERROR for a text that is not UTF-8
 */
export async function readBody(request: IncomingMessage, maxBodyBytes: number): Promise<string | undefined> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json')
  }
  if (encoding !== 'identity') throw new HubError('UNSUPPORTED_MEDIA_TYPE', 'the body must have no Content-Encoding')
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return decode(await collect(request, maxBodyBytes))
}

async function collect(request: IncomingMessage, maxBodyBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > maxBodyBytes) reject(tooLarge(maxBodyBytes))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
  })
}

function decode(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HubError('PARSE_ERROR', 'the body is not UTF-8', { cause })
  }
}

function tooLarge(maxBodyBytes: number): HubError {
  return new HubError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBodyBytes} bytes`, {
    limit: maxBodyBytes,
    nextStep: 'Send a smaller body, or have the author of the agent raise maxBodyBytes.',
  })
}
