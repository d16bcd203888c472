import type { Change } from '../../schema/difference.js'
import type { Column, Index } from '../../schema/table.js'
import type { Dialect } from '../dialect.js'
import { QUOTED_WORDS } from '../reserved-words.js'
import { MYSQL_TYPES } from './column-types.js'

/**
 * MySQL 8 (and MariaDB). Indexes stand inside CREATE TABLE, and all changes in one ALTER TABLE: each statement commits by
 * itself there, so one statement is all or nothing and several are not.
 */
export const MYSQL: Dialect = {
  name: 'mysql',
  types: MYSQL_TYPES,
  temporal: {
    earliestYear: 1000,
    currentDateSql: '(CURRENT_DATE)',
    bareFractionDigits: 0,
    // A day less than the 32 bits have, on both sides, so that the literal is valid in every session's zone.
    zonedLiteral: { fromYear: 1971, toYear: 2037 },
  },
  maxNameBytes: 64,
  systemColumns: new Set(['db_row_id', 'db_trx_id', 'db_roll_ptr', 'fts_doc_id']),
  takenIndexNames: () => ['primary', 'gen_clust_index'],
  auditType: 'TIMESTAMP',
  maxRowBytes: 65_535,
  maxKeyBytes: 3072,
  create(table) {
    const [onlyKey, ...moreKeys] = table.primaryKey
    const inlineKey = moreKeys.length === 0 ? onlyKey : undefined
    const lines = table.columns.map((column) =>
      column.name === inlineKey ? `${printColumn(column, '')} PRIMARY KEY` : printColumn(column),
    )
    if (moreKeys.length > 0) lines.push(`PRIMARY KEY (${printNames(table.primaryKey)})`)
    lines.push(...table.indexes.map(printIndex))
    return [`CREATE TABLE ${table.name} (\n  ${lines.join(',\n  ')}\n);`]
  },
  alter(table, changes) {
    return [`ALTER TABLE ${table.name}\n  ${changes.map(printChange).join(',\n  ')};`]
  },
}

function printChange(change: Change): string {
  switch (change.kind) {
    case 'column-added':
      return `ADD COLUMN ${printColumn(change.column)} ${change.after === undefined ? 'FIRST' : `AFTER ${quote(change.after)}`}`
    case 'column-changed':
      return `MODIFY COLUMN ${printColumn(change.after)}`
    case 'index-added':
      return `ADD ${printIndex(change.index)}`
  }
}

function printColumn(column: Column, nullability = nullabilityOf(column)): string {
  const clauses = [quote(column.name), column.type.sql, nullability]
  if (column.defaultSql !== undefined) clauses.push(`DEFAULT ${column.defaultSql}`)
  if (column.touchedOnUpdate) clauses.push('ON UPDATE CURRENT_TIMESTAMP')
  return clauses.filter((clause) => clause !== '').join(' ')
}

/** Older servers make a bare TIMESTAMP NOT NULL on their own, so there a null is allowed in so many words. */
function nullabilityOf({ nullable, type }: Column): string {
  if (!nullable) return 'NOT NULL'
  return type.sql.startsWith('TIMESTAMP') ? 'NULL' : ''
}

function printIndex({ name, columns, unique }: Index): string {
  return `${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} (${printNames(columns)})`
}

function printNames(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

function quote(name: string): string {
  return QUOTED_WORDS.has(name) ? `\`${name}\`` : name
}
