import type { Column, Index, Table } from '../schema/table.js'
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

const FORMAT_VERSION = 1

/** Encodes an entry as the text of its file. Types are kept as SQL text and read by the same closed table again. */
export function encodeEntry(entry: CatalogueEntry): string {
  const columns = entry.table.columns.map((column) => ({ ...column, type: column.type.sql }))
  const file = { formatVersion: FORMAT_VERSION, ...entry, table: { ...entry.table, columns } }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Decodes the text of an entry's file.
 * @throws Error that says where the text is not what {@link encodeEntry} writes
 */
export function decodeEntry(text: string, dialect: Dialect): CatalogueEntry {
  const file = readObject(JSON.parse(text), 'the file')
  if (file.formatVersion !== FORMAT_VERSION) throw new Error(`formatVersion is not ${FORMAT_VERSION}`)
  const table = readObject(file.table, 'table')
  const last = readObject(file.lastChange, 'lastChange')
  if (typeof file.revision !== 'number' || !Number.isSafeInteger(file.revision))
    throw new Error('revision is no number')
  if (last.change !== 'created' && last.change !== 'altered') throw new Error('lastChange.change is no known change')
  return {
    domainName: readText(file.domainName, 'domainName'),
    table: {
      name: readText(table.name, 'table.name'),
      columns: readList(table.columns, 'table.columns').map((column, place) =>
        readColumn(column, `table.columns.${place}`, dialect),
      ),
      primaryKey: readTexts(table.primaryKey, 'table.primaryKey'),
      indexes: readList(table.indexes, 'table.indexes').map((index, place) =>
        readIndex(index, `table.indexes.${place}`),
      ),
    },
    revision: file.revision,
    lastChange: {
      callId: readText(last.callId, 'lastChange.callId'),
      change: last.change,
      notes: readTexts(last.notes, 'lastChange.notes'),
      statements: readTexts(last.statements, 'lastChange.statements'),
    },
  }
}

function readColumn(value: unknown, path: string, dialect: Dialect): Column {
  const column = readObject(value, path)
  const { defaultSql } = column
  return {
    name: readText(column.name, `${path}.name`),
    type: readType(dialect.types, column.type, `${path}.type`),
    nullable: readFlag(column.nullable, `${path}.nullable`),
    ...(defaultSql === undefined ? {} : { defaultSql: readText(defaultSql, `${path}.defaultSql`) }),
    touchedOnUpdate: readFlag(column.touchedOnUpdate, `${path}.touchedOnUpdate`),
  }
}

function readIndex(value: unknown, path: string): Index {
  const index = readObject(value, path)
  return {
    name: readText(index.name, `${path}.name`),
    columns: readTexts(index.columns, `${path}.columns`),
    unique: readFlag(index.unique, `${path}.unique`),
  }
}

function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${path} is no object`)
  return { ...value }
}

function readList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${path} is no list`)
  return value
}

function readTexts(value: unknown, path: string): readonly string[] {
  return readList(value, path).map((item, place) => readText(item, `${path}.${place}`))
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new Error(`${path} is no text`)
  return value
}

function readFlag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new Error(`${path} is neither true nor false`)
  return value
}
