import { isJsonObject, type JsonObject, type Tool, type ToolResult } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { parseJson, readBytes, toText } from '../answer/json-text.js'
import type { EndpointResponse } from '../http/http-endpoint.js'
import { compactJson } from './compact-json.js'

/** How answers are read. */
export interface AnswerReading {
  /** Largest answer. */
  readonly maxBytes: number
  /** Whether a JSON object is a structured result too where its tool promises one. */
  readonly isStructured: boolean
}

/**
 * Reads what a tool's endpoint answered. An HTTP error is a tool that ran and failed (S2.3, S1.9): its text is for the caller.
 * @throws BrokenAnswerError when the body is of no kind that can be passed on; ExchangeError when it ends before its end
 */
export async function readServiceAnswer(
  response: EndpointResponse,
  tool: Tool,
  { maxBytes, isStructured }: AnswerReading,
): Promise<ToolResult> {
  const { status } = response
  const encoding = response.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    throw new BrokenAnswerError(`its answer is encoded as ${encoding}, which nobody asked for`)
  }
  if (status >= 300 && status < 400) throw new BrokenAnswerError(`HTTP ${status} redirects, which is never followed`)
  const body = await readBytes(response.chunks, maxBytes)
  if (status >= 400) return failure(status, body, response)
  return success(body, response, isStructured && tool.outputSchema !== undefined)
}

function success(body: Buffer, response: EndpointResponse, isStructured: boolean): ToolResult {
  const kind = kindOf(response)
  switch (kind) {
    case 'nothing':
      if (body.byteLength === 0) return { content: [], isError: false }
      throw new BrokenAnswerError(`HTTP ${response.status} came without a media type`)
    case 'json':
      return jsonResult(toText(body), isStructured)
    case 'text':
      return { content: [{ type: 'text', text: toText(body) }], isError: false }
    case 'image':
    case 'audio': {
      const item = { type: kind, data: body.toString('base64'), mimeType: response.mediaType }
      return { content: [item], isError: false }
    }
    case 'other':
      throw new BrokenAnswerError(`HTTP ${response.status} came as ${response.mediaType}, which cannot be passed on`)
  }
}

/** A structured result where the tool has promised one; the text is there for everybody (S1.8). */
function jsonResult(text: string, isStructured: boolean): ToolResult {
  const value = parseJson(text, 'the answer')
  const content = [{ type: 'text', text: typeof value === 'string' ? value : compactJson(text) }] as const
  return { content, ...(isStructured && isJsonObject(value) ? { structuredContent: value } : {}), isError: false }
}

function failure(status: number, body: Buffer, response: EndpointResponse): ToolResult {
  const kind = kindOf(response)
  const isReadable = (kind === 'text' || kind === 'json') && body.byteLength > 0
  const text = isReadable ? toText(body) : `the tool answered HTTP ${status}`
  const meta: JsonObject = { httpStatus: status }
  return { content: [{ type: 'text', text, _meta: meta }], isError: true }
}

function kindOf({ mediaType }: EndpointResponse): 'nothing' | 'json' | 'text' | 'image' | 'audio' | 'other' {
  if (mediaType === '') return 'nothing'
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return 'json'
  const [top = ''] = mediaType.split('/')
  return top === 'text' || top === 'image' || top === 'audio' ? top : 'other'
}
