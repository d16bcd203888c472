import type { Change } from '../../schema/difference.js'
import type { Column, Index, Table } from '../../schema/table.js'
import type { Dialect } from '../dialect.js'
import { QUOTED_WORDS } from '../reserved-words.js'
import { POSTGRESQL_TYPES } from './column-types.js'
import { createTouch, dropTouch } from './touch.js'

/**
 * PostgreSQL 12 and later. DDL is transactional there: run the statements of one answer in one transaction. A new column
 * always comes last, and what MySQL says with ON UPDATE takes a trigger (`touch.ts`).
 */
export const POSTGRESQL: Dialect = {
  name: 'postgresql',
  types: POSTGRESQL_TYPES,
  temporal: { earliestYear: 1, currentDateSql: 'CURRENT_DATE', bareFractionDigits: 6, zonedLiteral: 'offset' },
  maxNameBytes: 63,
  systemColumns: new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']),
  // Indexes share one name space with tables, and the primary key's index is there already.
  takenIndexNames: (tableName) => [tableName, `${tableName}_pkey`],
  auditType: 'TIMESTAMPTZ',
  maxRowBytes: Number.POSITIVE_INFINITY,
  maxKeyBytes: Number.POSITIVE_INFINITY,
  create(table) {
    const [onlyKey, ...moreKeys] = table.primaryKey
    const inlineKey = moreKeys.length === 0 ? onlyKey : undefined
    const lines = table.columns.map((column) =>
      column.name === inlineKey ? `${printColumn(column, '')} PRIMARY KEY` : printColumn(column),
    )
    if (moreKeys.length > 0) lines.push(`PRIMARY KEY (${printNames(table.primaryKey)})`)
    return [
      `CREATE TABLE ${table.name} (\n  ${lines.join(',\n  ')}\n);`,
      ...table.indexes.map((index) => createIndex(table, index)),
      ...(table.columns.some(({ touchedOnUpdate }) => touchedOnUpdate) ? createTouch(table.name) : []),
    ]
  },
  alter(table, changes) {
    const actions = changes.flatMap(printActions)
    return [
      ...(actions.length === 0 ? [] : [`ALTER TABLE ${table.name}\n  ${actions.join(',\n  ')};`]),
      ...changes.flatMap((change) => (change.kind === 'index-added' ? [createIndex(table, change.index)] : [])),
      ...changes.flatMap((change) => alterTouch(table, change)),
    ]
  },
}

function printActions(change: Change): readonly string[] {
  switch (change.kind) {
    case 'column-added':
      return [`ADD COLUMN ${printColumn(change.column)}`]
    case 'column-changed':
      return printColumnChange(change.before, change.after)
    case 'index-added':
      return []
  }
}

function printColumnChange(before: Column, after: Column): readonly string[] {
  const name = `ALTER COLUMN ${quote(after.name)}`
  const actions: string[] = []
  if (before.type.sql !== after.type.sql) actions.push(`${name} TYPE ${after.type.sql}`)
  if (before.nullable !== after.nullable) actions.push(`${name} ${after.nullable ? 'DROP' : 'SET'} NOT NULL`)
  if (before.defaultSql !== after.defaultSql) {
    actions.push(`${name} ${after.defaultSql === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${after.defaultSql}`}`)
  }
  return actions
}

function alterTouch(table: Table, change: Change): readonly string[] {
  switch (change.kind) {
    case 'column-added':
      return change.column.touchedOnUpdate ? createTouch(table.name) : []
    case 'column-changed':
      if (change.before.touchedOnUpdate === change.after.touchedOnUpdate) return []
      return change.after.touchedOnUpdate ? createTouch(table.name) : [dropTouch(table.name)]
    case 'index-added':
      return []
  }
}

function createIndex(table: Table, { name, columns, unique }: Index): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${table.name} (${printNames(columns)});`
}

function printColumn(column: Column, nullability = column.nullable ? '' : 'NOT NULL'): string {
  const clauses = [quote(column.name), column.type.sql, nullability]
  if (column.defaultSql !== undefined) clauses.push(`DEFAULT ${column.defaultSql}`)
  return clauses.filter((clause) => clause !== '').join(' ')
}

function printNames(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

function quote(name: string): string {
  return QUOTED_WORDS.has(name) ? `"${name}"` : name
}
