import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HubError } from '@synchub/protocol'

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** How long the rest of a body that was refused may go on arriving. */
const REFUSED_BODY_MS = 5000

/**
 * Reads the JSON body of a request as text. What is too large is refused before it is held: by its declared length, or as soon
 * as what has come passes the limit. A client that asked first (`Expect: 100-continue`) is told to send only what will be read.
 * @throws HubError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PARSE_ERROR (not UTF-8)
 */
export async function readJsonBody(req: IncomingMessage, res: ServerResponse, maxBodyBytes: number): Promise<string> {
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
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw refuseRest(req, maxBodyBytes)
  if (req.headers.expect !== undefined) res.writeContinue()
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
        req.off('data', onData)
        reject(refuseRest(req, maxBodyBytes))
      } else chunks.push(chunk)
    }
    req.on('data', onData)
    const onBreak = () => reject(new HubError('INVALID_REQUEST', 'the body ended before it was whole'))
    req.once('error', onBreak)
    req.once('close', onBreak)
    req.once('end', () => {
      // The request closes after each answer: without this every one of them would make an error that nobody hears of.
      req.off('close', onBreak)
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
  })
}

/** Node discards what still comes, since cutting at once could lose the answer on its way; it does so for a while only. */
function refuseRest(req: IncomingMessage, maxBodyBytes: number): HubError {
  setTimeout(() => req.complete || req.destroy(), REFUSED_BODY_MS).unref()
  return new HubError('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBodyBytes} bytes`, { limit: maxBodyBytes })
}
