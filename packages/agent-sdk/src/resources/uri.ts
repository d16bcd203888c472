/** Longest URI that is looked at, in characters. */
const MAX_URI_CHARS = 2048

const PATTERN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+(?:\/[^/?#\s]+)*$/
const VARIABLE = /^\{([A-Za-z][A-Za-z0-9_]*)\}$/
const NOT_IN_A_VALUE = /[/\\\p{Cc}\p{Cs}]/u

/** Names of the variables of a pattern: `'report' | 'page'` of `x://a/{report}/{page}`. */
export type VariableNames<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? Name | VariableNames<Rest>
  : never

/**
 * A URI in which whole path segments are variables, e.g. `report://syncinsight/{reportId}` (RFC 6570, level 1). A resource has
 * exactly one URI that matches: a value is percent-encoded in one way only, and can neither be empty nor climb (`..`, `%2e%2e`)
 * nor hold a slash, a backslash or a control character, encoded or not.
 */
export class UriPattern {
  readonly text: string
  readonly variables: readonly string[]
  readonly #segments: readonly { readonly literal: string; readonly variable?: string }[]

  /** @throws Error when the text is no such pattern */
  constructor(text: string) {
    if (!PATTERN.test(text)) throw new Error(`the URI ${JSON.stringify(text)} must be scheme://name/segments`)
    this.text = text
    this.#segments = text.split('/').map((literal) => {
      const [, variable] = VARIABLE.exec(literal) ?? []
      if (variable === undefined && /[{}]/.test(literal)) {
        throw new Error(`the URI ${JSON.stringify(text)}: a variable must be a whole segment, as in /{name}/`)
      }
      return variable === undefined ? { literal } : { literal, variable }
    })
    this.variables = this.#segments.flatMap(({ variable }) => (variable === undefined ? [] : [variable]))
    if (new Set(this.variables).size < this.variables.length) {
      throw new Error(`the URI ${JSON.stringify(text)} names a variable twice`)
    }
  }

  /** The values in a URI, or undefined where it is no URI of this pattern. */
  match(uri: string): Readonly<Record<string, string>> | undefined {
    if (uri.length > MAX_URI_CHARS) return undefined
    const parts = uri.split('/')
    if (parts.length !== this.#segments.length) return undefined
    const values: Record<string, string> = {}
    for (const [place, { literal, variable }] of this.#segments.entries()) {
      const part = parts[place] ?? ''
      if (variable === undefined) {
        if (part !== literal) return undefined
      } else {
        const value = decodeValue(part)
        if (value === undefined) return undefined
        values[variable] = value
      }
    }
    return values
  }

  /**
   * The URI of the resource with these values.
   * @throws Error naming the variable, when a value is missing or could not be matched again
   */
  expand(values: Readonly<Record<string, string>>): string {
    const parts = this.#segments.map(({ literal, variable }) => {
      if (variable === undefined) return literal
      const value = values[variable]
      if (value === undefined || !isValue(value)) {
        throw new Error(`the URI ${this.text} cannot have ${JSON.stringify(value)} as its ${variable}`)
      }
      return encodeURIComponent(value)
    })
    return parts.join('/')
  }
}

function decodeValue(part: string): string | undefined {
  if (!/^(?:[^%]|%[0-9A-F]{2})+$/.test(part)) return undefined
  let value: string
  try {
    value = decodeURIComponent(part)
  } catch {
    // Bytes that are not UTF-8 name no resource.
    return undefined
  }
  return isValue(value) && encodeURIComponent(value) === part ? value : undefined
}

function isValue(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && !NOT_IN_A_VALUE.test(value)
}
