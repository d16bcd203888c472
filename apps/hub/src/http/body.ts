import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { HubError } from '@synchub/protocol'

const JSON_TYPE = /^application\/json\s*(;|$)/i

/**
 * Reads the JSON body of a request as text. What is too large is refused before it is held: by its declared length, or as soon
 * as what has come passes the limit.
 * @throws HubError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PARSE_ERROR (not UTF-8)
 */
export async function readJsonBody(req: IncomingMessage, maxBodyBytes: number): Promise<string> {
  const type = req.headers['content-type']
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new HubError(
      'UNSUPPORTED_MEDIA_TYPE',
      `the Content-Type must be application/json, not ${JSON.stringify(type ?? '')}`,
    )
  }
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', `the Content-Encoding ${JSON.stringify(encoding)} is not taken`)
  }
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  const body = await collect(req, maxBodyBytes)
  if (!isUtf8(body)) throw new HubError('PARSE_ERROR', 'the body is not UTF-8')
  return body.toString('utf8')
}

function collect(req: IncomingMessage, maxBodyBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBodyBytes) {
        // Node discards the rest after the answer, so the sender can read it; requestTimeout bounds how long that may take.
        req.off('data', onData)
        reject(tooLarge(maxBodyBytes))
      } else chunks.push(chunk)
    }
    req.on('data', onData)
    req.once('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    req.once('error', reject)
    req.once('close', () => reject(new HubError('INVALID_REQUEST', 'the body ended before it was whole')))
  })
}

function tooLarge(maxBodyBytes: number): HubError {
  return new HubError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBodyBytes} bytes`, { limit: maxBodyBytes })
}
