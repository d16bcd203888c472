import type { Dialect, DialectName } from './dialect.js'
import { MYSQL } from './mysql/dialect.js'
import { POSTGRESQL } from './postgresql/dialect.js'

/** The dialect of that name. */
export function dialectOf(name: DialectName): Dialect {
  return name === 'mysql' ? MYSQL : POSTGRESQL
}
