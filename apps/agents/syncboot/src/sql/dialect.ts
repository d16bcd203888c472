import type { Change } from '../schema/difference.js'
import type { Table } from '../schema/table.js'
import type { TemporalRules } from './temporal-default.js'
import type { TypeTable } from './type-table.js'

/** The SQL dialects that SyncBoot writes. */
export const DIALECT_NAMES = ['mysql', 'postgresql'] as const

/** One of {@link DIALECT_NAMES}. */
export type DialectName = (typeof DIALECT_NAMES)[number]

/** What a dialect knows, and how it writes a table and its changes. */
export interface Dialect {
  readonly name: DialectName
  readonly types: TypeTable
  readonly temporal: TemporalRules
  /** Longest identifier; PostgreSQL would cut a longer one without a word. */
  readonly maxNameBytes: number
  /** Column names that the database keeps for itself, quoted or not. */
  readonly systemColumns: ReadonlySet<string>
  /** Names that an index of this table may not have. */
  readonly takenIndexNames: (tableName: string) => readonly string[]
  /** Type of `created_at` and `updated_at`: an instant. */
  readonly auditType: string
  /** Bytes of a row and of an index entry, at most; Infinity where a table is not bounded. */
  readonly maxRowBytes: number
  readonly maxKeyBytes: number
  /** The statements that make a table with its indexes, each ending in a semicolon. */
  readonly create: (table: Table) => readonly string[]
  /** The statements that carry `changes` out on a table that exists; `table` is what it becomes. */
  readonly alter: (table: Table, changes: readonly Change[]) => readonly string[]
}
