import stripAnsi from 'strip-ansi'

/** Characters that reorder what a terminal shows, so that a line reads other than it is. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

/**
 * Text from elsewhere (tools, agents, other callers) as one line that is safe to print: without escape sequences, control
 * characters and line breaks, so that it can neither steer the terminal nor pretend to be a line of ours.
 */
export function cleanLine(text: string): string {
  return stripAnsi(text)
    .replace(BIDI_CONTROLS, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

/** Like {@link cleanLine} for text of several lines: line breaks and tabs stay. */
export function cleanText(text: string): string {
  return stripAnsi(text.replaceAll('\r\n', '\n'))
    .replace(BIDI_CONTROLS, '')
    .replace(/[^\P{Cc}\n\t]+/gu, '')
}

/**
 * One line of NDJSON. JSON.stringify leaves C1 and bidi controls as they are, which terminals obey, and line separators, at
 * which some readers end a line.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
