import { type CallView, type FilledPrompt, isJsonObject, type ResourceReading } from '@synchub/protocol'
import { type Failure, readFailure } from '../hub/failure.js'
import { type CodeText, toJsonText, toPlainText } from './code-text.js'

/** One piece of what a call answered, with its number. */
export type PayloadPart = PartBody & { readonly id: number }

type PartBody =
  | { readonly kind: 'code'; readonly title: string; readonly code: CodeText }
  | { readonly kind: 'markdown'; readonly title: string; readonly code: CodeText }
  | { readonly kind: 'image' | 'audio'; readonly title: string; readonly blob: Blob }
  | { readonly kind: 'link'; readonly title: string; readonly uri: string }

/** What a call was given and what it answered, ready to be shown. */
export interface CallPayload {
  readonly arguments: CodeText
  readonly parts: readonly PayloadPart[]
  readonly executionTimeMs: number | undefined
  readonly tokenUsage: string | undefined
  readonly late: LatePayload | undefined
}

/** What came once the call had been given up: shown as late, never as its answer. */
export interface LatePayload {
  /** In ms since 1970. */
  readonly atMs: number
  readonly parts: readonly PayloadPart[]
  /** Whether the tool had run and reported a failure of its own. */
  readonly hasToolFailed: boolean
  /** What the agent said had gone wrong, where it did. */
  readonly failure: Failure | undefined
}

/** Takes a call's record apart. Everything that an agent sent is data: nothing of it is ever run or loaded. */
export function toPayload(call: CallView): CallPayload {
  return {
    arguments: toJsonText(call.arguments),
    parts: toAnswerParts(call),
    executionTimeMs: call.executionTimeMs,
    tokenUsage: call.tokenUsage === undefined ? undefined : JSON.stringify(call.tokenUsage),
    late: call.late === undefined ? undefined : toLate(call.late),
  }
}

function toLate(late: NonNullable<CallView['late']>): LatePayload {
  return {
    atMs: Date.parse(late.at),
    parts: toAnswerParts(late),
    hasToolFailed: late.isError === true,
    failure: readFailure(late.error),
  }
}

function toAnswerParts({ result, content = [] }: Pick<CallView, 'result' | 'content'>): readonly PayloadPart[] {
  const structured: PartBody[] =
    result === undefined ? [] : [{ kind: 'code', title: 'structuredContent', code: toJsonText(result) }]
  return numbered([...content.map(toPart), ...structured])
}

/** Takes what a resource holds apart, as inert as the result of a call. */
export function toResourceParts({ contents }: ResourceReading): readonly PayloadPart[] {
  return numbered(contents.map(toResourcePart))
}

/** Takes the messages of a filled prompt apart; each says who is to have said it. */
export function toPromptParts({ messages }: FilledPrompt): readonly PayloadPart[] {
  return numbered(
    messages.map(({ role, content }) => {
      const part = toPart(content)
      return { ...part, title: part.title === 'text' ? role : `${role}: ${part.title}` }
    }),
  )
}

function numbered(parts: readonly PartBody[]): readonly PayloadPart[] {
  return parts.map((part, id) => ({ ...part, id }))
}

function toPart(item: unknown): PartBody {
  if (!isJsonObject(item)) return { kind: 'code', title: 'content', code: toJsonText(item) }
  const { type, text, data, mimeType, resource, uri, name } = item
  const blobType = typeof mimeType === 'string' ? mimeType : ''
  if (type === 'text' && typeof text === 'string') return toTextPart('text', text, '')
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return toBlobPart(type, data, blobType)
  if (type === 'resource' && isJsonObject(resource)) return toResourcePart(resource)
  if (type === 'resource_link' && typeof uri === 'string') {
    return { kind: 'link', title: typeof name === 'string' ? name : uri, uri }
  }
  return { kind: 'code', title: String(type), code: toJsonText(item) }
}

function toResourcePart(resource: Readonly<Record<string, unknown>>): PartBody {
  const { uri, mimeType, text, blob } = resource
  const title = typeof uri === 'string' ? uri : 'resource'
  const type = typeof mimeType === 'string' ? mimeType : ''
  if (typeof text === 'string') return toTextPart(title, text, type)
  const kind = type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : undefined
  if (typeof blob === 'string' && kind !== undefined) return toBlobPart(kind, blob, type, title)
  return { kind: 'code', title, code: toJsonText(resource) }
}

function toTextPart(title: string, text: string, mimeType: string): PartBody {
  const isMarkdown = mimeType === 'text/markdown' || (mimeType === '' && /^#{1,3} |\n#{1,3} |\n\|[ -]+\|/.test(text))
  if (isMarkdown) return { kind: 'markdown', title, code: toPlainText(text) }
  return { kind: 'code', title, code: readJson(text) ?? toPlainText(text) }
}

/** Many tools answer JSON as text. */
function readJson(text: string): CodeText | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return toJsonText(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Pictures and sounds of a kind that only shows or sounds; SVG, which may hold scripts, is shown as a picture and runs none. */
function toBlobPart(kind: 'image' | 'audio', base64: string, mimeType: string, title = mimeType): PartBody {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return { kind, title, blob: new Blob([bytes], { type: mimeType }) }
  } catch {
    return { kind: 'code', title, code: toPlainText(base64) }
  }
}
