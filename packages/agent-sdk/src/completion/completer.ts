import type { ReadContext } from '../resources/read-context.js'

/** What a completer knows beside the value. */
export interface CompletionContext extends ReadContext {
  /** Values of the other arguments, or variables, as far as the reader has chosen them. They come from outside. */
  readonly known: Readonly<Record<string, string | undefined>>
}

/** Gives values that an argument of a prompt, or a variable of a URI, may have, the best first, for what was typed so far. */
export type Completer = (value: string, ctx: CompletionContext) => Promise<readonly string[]> | readonly string[]

/** Completers by the names of the arguments or variables. */
export type Completers = Readonly<Record<string, Completer>>
