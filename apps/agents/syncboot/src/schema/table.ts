import type { ColumnType } from '../sql/column-type.js'

/** One column, in the words of the database: every text here has been checked and is safe to print. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** The default as SQL text, e.g. `0.00`, `'it''s'`, `CURRENT_TIMESTAMP`. */
  readonly defaultSql?: string
  /** Whether the database sets it to the current time when a row changes (S0.4: `updated_at`). */
  readonly touchedOnUpdate: boolean
}

/** One index over columns of its table, in order. */
export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

/** A domain as a table. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Names of the columns of the primary key, in order; empty when there is none. */
  readonly primaryKey: readonly string[]
  readonly indexes: readonly Index[]
}
