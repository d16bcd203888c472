import { z } from 'zod'
import type { Table } from '../schema/table.js'
import type { Dialect } from '../sql/dialect.js'
import { readType } from '../sql/type-table.js'

/** What the last change of a domain was: a repeat of the call that made it gets the same answer again. */
export interface LastChange {
  readonly callId: string
  readonly change: 'created' | 'altered'
  /** What changed, for people; empty for a new table. */
  readonly notes: readonly string[]
  readonly statements: readonly string[]
}

/** What the catalogue knows of one domain in one dialect. */
export interface CatalogueEntry {
  readonly domainName: string
  readonly table: Table
  /** Counts the states that the table has had, from 1. */
  readonly revision: number
  readonly lastChange: LastChange
}

/** Version 1 of a file. It is strict: a member that this version does not know would be lost with the next change. */
const FILE = z.strictObject({
  formatVersion: z.literal(1),
  domainName: z.string(),
  table: z.strictObject({
    name: z.string(),
    columns: z.array(
      z.strictObject({
        name: z.string(),
        /** SQL text, read by the dialect's own table of types again. */
        type: z.string(),
        nullable: z.boolean(),
        defaultSql: z.string().exactOptional(),
        touchedOnUpdate: z.boolean(),
      }),
    ),
    primaryKey: z.array(z.string()),
    indexes: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), unique: z.boolean() })),
  }),
  revision: z.int().positive(),
  lastChange: z.strictObject({
    callId: z.string(),
    change: z.enum(['created', 'altered']),
    notes: z.array(z.string()),
    statements: z.array(z.string()),
  }),
})

/** Encodes an entry as the text of its file. */
export function encodeEntry(entry: CatalogueEntry): string {
  const columns = entry.table.columns.map((column) => ({ ...column, type: column.type.sql }))
  return `${JSON.stringify({ formatVersion: 1, ...entry, table: { ...entry.table, columns } }, null, 2)}\n`
}

/**
 * Decodes the text of an entry's file.
 * @throws Error when it is not what {@link encodeEntry} writes
 */
export function decodeEntry(text: string, dialect: Dialect): CatalogueEntry {
  const { domainName, table, revision, lastChange } = FILE.parse(JSON.parse(text))
  const columns = table.columns.map((column, place) => ({
    ...column,
    type: readType(dialect.types, column.type, `table.columns.${place}.type`),
  }))
  return { domainName, table: { ...table, columns }, revision, lastChange }
}
