import { holdsAllOf } from '../sql/column-type.js';
/**
 * Compares what a table was with what it is to be. The order of columns and of indexes is not part of a schema: it changes
 * nothing. A renamed field looks like one dropped and one added, since nothing says that they are the same.
 */
export function compareTables(before, after) {
    const changes = [];
    const destructions = [];
    if (before.primaryKey.join() !== after.primaryKey.join())
        destructions.push({ kind: 'primary-key-changed' });
    for (const index of before.indexes) {
        const kept = after.indexes.find(({ name }) => name === index.name);
        if (kept === undefined || !isSameIndex(index, kept))
            destructions.push({ kind: 'index-changed', name: index.name });
    }
    for (const column of before.columns) {
        const kept = after.columns.find(({ name }) => name === column.name);
        if (kept === undefined)
            destructions.push({ kind: 'column-dropped', name: column.name });
        else if (!isWider(kept, column))
            destructions.push({ kind: 'column-narrowed', name: column.name });
        else if (!isSameColumn(kept, column))
            changes.push({ kind: 'column-changed', before: column, after: kept });
    }
    for (const [place, column] of after.columns.entries()) {
        if (before.columns.some(({ name }) => name === column.name))
            continue;
        changes.push({ kind: 'column-added', column, after: after.columns[place - 1]?.name });
    }
    for (const index of after.indexes) {
        if (!before.indexes.some(({ name }) => name === index.name))
            changes.push({ kind: 'index-added', index });
    }
    return { changes, destructions };
}
function isSameIndex(one, other) {
    return one.unique === other.unique && one.columns.join() === other.columns.join();
}
function isWider(to, from) {
    return to.type.sql === from.type.sql || holdsAllOf(to.type.values, from.type.values);
}
function isSameColumn(one, other) {
    return (one.type.sql === other.type.sql &&
        one.nullable === other.nullable &&
        one.defaultSql === other.defaultSql &&
        one.touchedOnUpdate === other.touchedOnUpdate);
}
