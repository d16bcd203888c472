import { RE2JS } from 're2js'

/** A regular expression that takes linear time, whatever the pattern: one of an agent's schema can never hang the hub. */
class LinearPattern {
  readonly #pattern: string
  readonly #compiled: RE2JS

  /** @throws Error where a pattern needs more than linear time (look-ahead, back-references) or is none */
  constructor(pattern: string) {
    this.#pattern = pattern
    // Schemas hold ECMAScript patterns: `\u` escapes and named groups are written otherwise in RE2.
    this.#compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.LOOKBEHINDS)
  }

  test(text: string): boolean {
    return this.#compiled.test(text)
  }

  /** ajv keeps compiled patterns under this text: two patterns with the same one would be mistaken for each other. */
  toString(): string {
    return this.#pattern
  }
}

/** The engine that ajv compiles `pattern` and `patternProperties` with; its own has no bound in time. */
export const linearTimePatterns = Object.assign((pattern: string) => new LinearPattern(pattern), {
  code: 'new LinearPattern',
})
