import { MYSQL } from './mysql/dialect.js';
import { POSTGRESQL } from './postgresql/dialect.js';
/** The SQL dialects that SyncBoot writes. */
export const DIALECT_NAMES = ['mysql', 'postgresql'];
/** The dialect of that name. */
export function dialectOf(name) {
    return name === 'mysql' ? MYSQL : POSTGRESQL;
}
