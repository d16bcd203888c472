/** A default as it may come in JSON. */
export type DefaultValue = string | number | boolean

/** What became of a default: its SQL text, or what would have fitted. */
export type PrintedDefault = { readonly sql: string } | { readonly expected: string }
