import { type CallResult, type ContentItem, isJsonObject } from '@synchub/protocol'
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
    const { uri, mimeType, text } = item.resource
    const heading = cleanLine(`${String(uri)}${typeof mimeType === 'string' ? ` (${mimeType})` : ''}`)
    return typeof text === 'string' ? `${heading}:\n${cleanText(text)}` : heading
  }
  return cleanText(JSON.stringify(item))
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
