import { type CallResult, type ContentItem, isJsonObject, type JsonObject } from '@synchub/protocol'
import { cleanLine, cleanText } from '../terminal/clean-text.js'

/** The result of a call as text for people: its content, then the structured result where that says more. */
export function resultText({ content, structuredContent }: CallResult): string {
  const parts = content.map(itemText)
  if (structuredContent !== undefined && !repeats(content, structuredContent)) {
    parts.push(cleanText(JSON.stringify(structuredContent, undefined, 2)))
  }
  return parts.join('\n')
}

function itemText(item: ContentItem): string {
  if (item.type === 'text' && typeof item.text === 'string') return cleanText(item.text)
  if (item.type === 'resource' && isJsonObject(item.resource)) {
    const { text } = item.resource
    const heading = addressText(item.resource)
    return typeof text === 'string' ? `${heading}:\n${cleanText(text)}` : heading
  }
  if (item.type === 'resource_link') return addressText(item)
  if ('data' in item && typeof item.data === 'string') return dataText(item.type, item.mimeType, item.data)
  return cleanText(JSON.stringify(item))
}

function addressText({ uri, mimeType }: JsonObject): string {
  return cleanLine(`${String(uri)}${typeof mimeType === 'string' ? ` (${mimeType})` : ''}`)
}

/** What is no text (an image, audio) is named: its Base64 would fill the terminal and tell nobody anything. */
function dataText(kind: string, mediaType: unknown, data: string): string {
  const bytes = Buffer.byteLength(data, 'base64')
  return cleanLine(`${kind} (${String(mediaType)}, ${bytes} bytes; --json prints them)`)
}

/** Many tools send their structured result a second time as text (MCP asks for it). */
function repeats(content: readonly ContentItem[], structured: unknown): boolean {
  const [item, ...others] = content
  if (item === undefined || others.length > 0 || !('text' in item) || typeof item.text !== 'string') return false
  try {
    return JSON.stringify(JSON.parse(item.text)) === JSON.stringify(structured)
  } catch {
    return false
  }
}
