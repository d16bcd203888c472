/** The values that a column can hold: what defaults are checked against, and what tells a wider type from a narrower one. */
export type ValueSpace =
  | { readonly kind: 'integer'; readonly min: bigint; readonly max: bigint }
  /** Digits in all and after the point; a missing precision has no bound (PostgreSQL). */
  | { readonly kind: 'decimal'; readonly precision?: number; readonly scale?: number }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  | { readonly kind: 'boolean' }
  /** `padded`: CHAR, which the database fills up with spaces. A missing bound is none. */
  | { readonly kind: 'text'; readonly padded: boolean; readonly maxChars?: number }
  | { readonly kind: 'binary'; readonly padded: boolean; readonly maxBytes?: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'year' }
  | { readonly kind: 'time'; readonly fractionDigits: number }
  /** `zoned`: an instant; otherwise what a calendar and a clock on the wall show. */
  | { readonly kind: 'timestamp'; readonly zoned: boolean; readonly fractionDigits: number }
  | { readonly kind: 'choice'; readonly members: readonly string[] }
  | { readonly kind: 'json'; readonly binary: boolean }
  | { readonly kind: 'uuid' }

/** What a column of the type weighs; only MySQL bounds a row and a key by it. */
export interface Footprint {
  /** Bytes of the row, at most. */
  readonly rowBytes: number
  /** Bytes of an index entry, at most; undefined when the type cannot be indexed as it stands. */
  readonly keyBytes?: number
}

/** A type of a dialect, checked and in its one spelling: equal types have equal `sql`. */
export interface ColumnType {
  readonly sql: string
  readonly values: ValueSpace
  /** Whether the dialect lets the type have a default. */
  readonly takesDefault: boolean
  readonly footprint: Footprint
}

/**
 * Whether every value of `from` stays what it is in `to`. Anything else may lose data or fail on it: a shorter text, fewer
 * digits, another kind of value.
 */
export function holdsAllOf(to: ValueSpace, from: ValueSpace): boolean {
  switch (from.kind) {
    case 'integer':
      return to.kind === 'integer' && to.min <= from.min && to.max >= from.max
    case 'decimal':
      return to.kind === 'decimal' && holdsDigits(to, from)
    case 'float':
      return to.kind === 'float' && to.bits >= from.bits
    case 'text':
      // A CHAR gives its padding up in a VARCHAR, which nobody can tell from what was written; the way back adds some.
      return to.kind === 'text' && (from.padded || !to.padded) && atLeast(to.maxChars, from.maxChars)
    case 'binary':
      return to.kind === 'binary' && !to.padded && !from.padded && atLeast(to.maxBytes, from.maxBytes)
    case 'time':
      return to.kind === 'time' && to.fractionDigits >= from.fractionDigits
    case 'timestamp':
      return to.kind === 'timestamp' && to.zoned === from.zoned && to.fractionDigits >= from.fractionDigits
    case 'choice':
      // Databases number the members, so one may only be added at the end.
      return to.kind === 'choice' && from.members.every((member, place) => to.members[place] === member)
    case 'json':
      return to.kind === 'json' && to.binary === from.binary
    case 'boolean':
    case 'date':
    case 'year':
    case 'uuid':
      return to.kind === from.kind
  }
}

type Decimal = Extract<ValueSpace, { kind: 'decimal' }>

function holdsDigits(to: Decimal, from: Decimal): boolean {
  if (to.precision === undefined) return true
  if (from.precision === undefined) return false
  const [toScale, fromScale] = [to.scale ?? 0, from.scale ?? 0]
  return toScale >= fromScale && to.precision - toScale >= from.precision - fromScale
}

function atLeast(bound: number | undefined, other: number | undefined): boolean {
  return bound === undefined || (other !== undefined && bound >= other)
}
